// Texts that are numbers: "1e-3", "64", "nan".
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace results {

// None where anything else is in it.
inline std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

}  // namespace results
