// Numbers as JSON, in the format of a run folder's files.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace results {

// NaN and infinities, which JSON lacks, as "nan", "inf" and "-inf".
inline nlohmann::ordered_json json_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

// The number that json_of wrote; nullopt for anything else.
template <class Json>
std::optional<double> real_in(const Json& json) {
  if (json.is_number()) return json.template get<double>();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return {};
}

}  // namespace results
