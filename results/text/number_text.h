// Parses and formats text that is a number: "1e-3", "64", "nan".
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/base/words.h"

namespace results {

// nullopt if the text holds anything else than a number of this type.
template <class Number>
std::optional<Number> all_of_it(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

inline std::optional<double> number_in(std::string_view text) { return all_of_it<double>(text); }
inline std::optional<std::int64_t> whole_number_in(std::string_view text) {
  return all_of_it<std::int64_t>(text);
}

// Formats with `digits` significant digits and without trailing zeros: "0.001", "64", "1.5e+11".
inline std::string short_number(double value, int digits = 6) {
  char text[64];
  const auto general = std::chars_format::general;
  return {text, std::to_chars(text, text + sizeof text, value, general, digits).ptr};
}

// The name of a code or system, then its options in alphabetical order.
inline std::vector<std::string_view> name_and_options(std::string_view text) {
  std::vector<std::string_view> parts = {lcsm::take_until(&text, '@')};
  while (!text.empty()) parts.push_back(lcsm::take_until(&text, ','));
  std::sort(parts.begin() + 1, parts.end());
  return parts;
}

// True if both are equal as text, as numbers ("1e-3" equals "0.001") or but for the order of their
// options ("mega@z=8,v=16" equals "mega@v=16,z=8").
inline bool same_value(std::string_view a, std::string_view b) {
  if (a == b) return true;
  if (a.size() == b.size() && a.find('@') != std::string_view::npos)
    return name_and_options(a) == name_and_options(b);
  const auto whole = whole_number_in(a), other = whole_number_in(b);
  if (whole && other) return *whole == *other;  // a double does not have all digits of a seed
  const auto first = number_in(a), second = number_in(b);
  return first && second && *first == *second;
}

// True if a comma after it belongs to the value: "1-{1", "max(p".
inline bool is_open(std::string_view value) {
  const auto count = [&](char c) { return std::ranges::count(value, c); };
  return count('{') > count('}') || count('(') > count(')');
}

// The values of a list, or the one value: "64", "[64, 128]", "['a',b]". An option of a code or
// system is no value of its own: "[1-3-1-2@tau=8,k=4, mamba]" has two. Quotes, braces and
// parentheses protect commas.
inline std::vector<std::string_view> listed_values(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return {text};
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> values;
  bool bare = false;  // the last value has no quotes
  while (!text.empty()) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    const std::size_t end = quoted ? text.find(text[0], 1) : std::string_view::npos;
    if (end != std::string_view::npos) {
      values.push_back(text.substr(1, end - 1));
      text.remove_prefix(end);
      lcsm::take_until(&text, ',');
      bare = false;
      continue;
    }
    const std::string_view one = lcsm::take_until(&text, ',');
    const bool option = one.find('=') < one.find('@');
    if (bare &&
        (is_open(values.back()) || (option && values.back().find('@') != std::string_view::npos)))
      values.back() = {values.back().data(), one.data() + one.size()};
    else
      values.push_back(one);
    bare = true;
  }
  for (std::string_view& one : values) one = lcsm::trimmed(one, " \"'");
  return values;
}

// True if `wanted` is the value, or a list that has it.
inline bool is_among(std::string_view value, std::string_view wanted) {
  return std::ranges::any_of(listed_values(wanted),
                             [&](std::string_view one) { return same_value(value, one); });
}

// "1-9-1-0" before "1-10-1-0", 9e-4 before 1e-3; nothing before numbers, numbers before names.
inline bool natural_less(const std::string& a, const std::string& b) {
  const auto place = [](const std::string& text) {
    const double value = number_in(text).value_or(NAN);
    return text.empty() ? 0 : std::isnan(value) ? 2 : 1;
  };
  if (place(a) != place(b)) return place(a) < place(b);
  const auto first = number_in(a), second = number_in(b);
  if (place(a) == 1) return *first != *second ? *first < *second : a < b;
  std::size_t i = 0, j = 0;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      std::size_t end_i = i, end_j = j;
      while (end_i < a.size() && digit(a[end_i])) ++end_i;
      while (end_j < b.size() && digit(b[end_j])) ++end_j;
      if (end_i - i != end_j - j) return end_i - i < end_j - j;
      if (const int order = a.compare(i, end_i - i, b, j, end_j - j); order != 0) return order < 0;
      i = end_i;
      j = end_j;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

}  // namespace results
