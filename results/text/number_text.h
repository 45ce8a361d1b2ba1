// Parses and formats text that is a number: "1e-3", "64", "nan".
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace results {

// nullopt if the text holds anything else.
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

// Formats with `digits` significant digits and without trailing zeros: "0.001", "64", "1.5e+11".
inline std::string short_number(double value, int digits = 6) {
  char text[64];
  const auto general = std::chars_format::general;
  return {text, std::to_chars(text, text + sizeof text, value, general, digits).ptr};
}

// True if both are equal as text or as numbers: "1e-3" equals "0.001".
inline bool same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto first = number_in(a), second = number_in(b);
  return first && second && *first == *second;
}

}  // namespace results
