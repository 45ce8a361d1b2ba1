// The cost of bringing the steps of a block together, without its matrices.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace lcsm {

// Of one token's forward pass; a fused multiply-add is two FLOP.
struct Mixing {
  std::string machine;
  double flops = 0;
  double state = 0;  // numbers carried from one step to the next; of attention keys and values
};

constexpr double real(std::int64_t count) { return static_cast<double>(count); }

inline double half_octave(double points) { return std::log2(std::max(points, 2.0)); }

// The cost of each query with `seen` keys, and of each weight with a value.
inline Mixing pairs(const char* machine, double key, double value, double seen, double kept) {
  return {machine, 2 * (key + value) * seen, (key + value) * kept};
}

// Products of `rows` features and `values` channels in each of `heads`, with one column more if
// the weights are counted.
inline Mixing chunked_products(double heads, double rows, double values, bool counted) {
  const double memory = heads * rows * (values / heads + (counted ? 1 : 0));
  return {"chunked matrix products", 4 * memory, memory};
}

inline double convolution(double taps, double channels) { return 2 * taps * channels; }

inline Mixing each_step_alone() { return {"each step by itself"}; }

}  // namespace lcsm
