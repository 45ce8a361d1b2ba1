// Parses and formats text that is a number: "1e-3", "64", "nan".
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lcsm/base/words.h"

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

// True if `wanted` is the value, or a list that has it: "64", "[64, 128]", "['a',b]".
inline bool is_among(std::string_view value, std::string_view wanted) {
  if (!wanted.starts_with('[') || !wanted.ends_with(']')) return same_value(value, wanted);
  wanted = wanted.substr(1, wanted.size() - 2);
  while (!wanted.empty()) {
    std::string_view one = lcsm::take_until(&wanted, ',');
    constexpr std::string_view kAround = " \"'";
    one.remove_prefix(std::min(one.size(), one.find_first_not_of(kAround)));
    one = one.substr(0, one.find_last_not_of(kAround) + 1);
    if (same_value(value, one)) return true;
  }
  return false;
}

}  // namespace results
