// What brings the steps of a block together, without its matrices: a function for each block.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "ets/families/family.h"

namespace runner {

struct Mixing {
  std::string machine;
  double flops = 0, state = 0;
};

// Of the families of ets/; the machine is "unknown" for any other.
Mixing filter_mixing(const ets::Variant& v, double T);

inline double number(std::int64_t count) { return static_cast<double>(count); }

inline double option(const ets::Variant& v, std::string_view name) {
  return number(v.options.integer(name));
}

inline bool is(const ets::Variant& v, std::string_view name, std::string_view value) {
  return v.options.text(name) == value;
}

inline double half_octave(double points) { return std::log2(std::max(points, 2.0)); }

// Each query with `seen` keys, each weight with a value.
inline Mixing pairs(const char* machine, double key, double value, double seen, double kept) {
  return {machine, 2 * (key + value) * seen, (key + value) * kept};
}

inline Mixing none(const ets::Variant&, double) { return {"each step by itself"}; }

}  // namespace runner
