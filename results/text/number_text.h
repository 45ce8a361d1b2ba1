// Text that is a number: "1e-3", "64", "nan".
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace results {

// Nothing if the text holds anything else.
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

// As text, or as numbers: "1e-3" is "0.001".
inline bool same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto first = number_in(a), second = number_in(b);
  return first && second && *first == *second;
}

}  // namespace results
