// A running sum of outer products, read at every step, with the memory in registers:
//
//   M_t = M_{t-1} + a_t (x) x_t,   y_t[w] = sum_n c_t[n] M_t[n,w]
//
// M is deep x wide. A decay that separates into a deep and a wide part is factored out, chunk by
// chunk, as row and column scales (decay_cpu.h); this sum remains. The output and every gradient of
// the chunk machine is one such sum: y with (a, x, c) = (e, i, s), d_s with (i, e, d_y), and, in
// reverse time order, d_i with (s, d_y, e) and d_e with (d_y, s, i).
#pragma once

#include <cstdint>

#include "lcsm/cpu/decay_cpu.h"

namespace lcsm {

enum class Order : std::uint8_t {
  kForward,    // M_t holds the steps up to t
  kExclusive,  // the steps before t
  kReverse,    // the steps from t on
  kReverseExclusive,
};
inline bool reversed(Order order) {
  return order == Order::kReverse || order == Order::kReverseExclusive;
}

// Anchors are the first steps of some chunks. Forward stores M there. In reverse, M is multiplied
// by the stored one, and the products are summed.
template <class T>
struct Anchors {
  T* keep = nullptr;        // forward: [anchors, deep, wide], written
  const T* meet = nullptr;  // reverse: [anchors, deep, wide], multiplied with M
  T* over_deep = nullptr;   // sums of the products over deep, [anchors, wide]: written
  T* over_wide = nullptr;   // sums of the products over wide, [anchors, deep]: added
};

// Inputs and results of one sequence, for its columns `first` to `last`.
template <class T>
struct OuterSum {
  std::int64_t deep = 0, wide = 0;
  const T *a = nullptr, *c = nullptr;  // [T, deep]
  const T* x = nullptr;                // [T, wide]
  T* y = nullptr;                      // [T, wide]; null: only M is wanted
  Order order = Order::kForward;
  bool add = false;  // y +=
  DecayTable<T> deep_decay, wide_decay;
  const Chunks* chunks = nullptr;
  std::int64_t first_chunk = 0, last_chunk = 0;
  std::int64_t first = 0, last = 0;
  T* memory = nullptr;  // [deep, wide]; in: before the first step, out: after the last
  Anchors<T> anchors;
};

template <class T>
struct OuterSumKernels {
  void (*run)(const OuterSum<T>& sum);
  std::int64_t lanes;  // per vector: split columns at multiples of this
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const OuterSumKernels<T>& outer_sum_kernels();

}  // namespace lcsm
