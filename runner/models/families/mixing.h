// The cost of mixing the steps of a block, without its matrices: one function per block.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "lcsm/block/block.h"

namespace runner {

struct Mixing {
  std::string machine;
  double flops = 0, state = 0;
};

// The families of ets/; for any other the machine is "unknown".
Mixing filter_mixing(const lcsm::Block& v, double T);

inline double number(std::int64_t count) { return static_cast<double>(count); }

inline double option(const lcsm::Block& v, std::string_view name) {
  return number(v.options.integer(name));
}

inline bool is(const lcsm::Block& v, std::string_view name, std::string_view value) {
  return v.options.text(name) == value;
}

inline double half_octave(double points) { return std::log2(std::max(points, 2.0)); }

// The cost of each query with `seen` keys, and of each weight with a value.
inline Mixing pairs(const char* machine, double key, double value, double seen, double kept) {
  return {machine, 2 * (key + value) * seen, (key + value) * kept};
}

inline Mixing none(const lcsm::Block&, double) { return {"each step by itself"}; }

}  // namespace runner
