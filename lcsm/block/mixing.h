// The cost of mixing the steps of a block, without its projections.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace lcsm {

// Per token, forward; a fused multiply-add is two FLOP.
struct Mixing {
  std::string machine;
  double flops = 0;
  double state = 0;  // numbers carried from one step to the next; in attention, keys and values
  double pairs = 0;  // numbers about pairs of steps that a token's backward pass reads; measured
};

constexpr double real(std::int64_t count) { return static_cast<double>(count); }

// Attention: a query is multiplied by `seen` keys, its weights by as many values; `kept` keys and
// values are stored. `key` and `value` are widths.
inline Mixing pairs(const char* machine, double key, double value, double seen, double kept) {
  return {machine, 2 * (key + value) * seen, (key + value) * kept};
}

// Each of `heads` heads has a memory of `rows` features by values / heads channels, with one more
// column if the weights are summed too (`counted`).
inline Mixing chunked_products(double heads, double rows, double values, bool counted) {
  const double memory = heads * rows * (values / heads + (counted ? 1 : 0));
  return {"chunked matrix products", 4 * memory, memory};
}

// The FLOP of a short convolution, and of a long one by transforms of this many points.
inline double convolution(double taps, double channels) { return 2 * taps * channels; }
inline double fft_convolution_flops(double channels, double points) {
  return 10 * channels * std::log2(std::max(points, 2.0));
}

inline Mixing each_step_alone() { return {"each step by itself"}; }

}  // namespace lcsm
