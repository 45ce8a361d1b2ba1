// One sweep over time with the memory in registers:
//
//   M_t = M_{t-1} + a_t (x) x_t,   y_t[w] = sum_n c_t[n] M_t[n,w]
//
// M is deep x wide. Decays that fall apart into deep and wide parts are taken out, chunk by chunk,
// as row and column scales (decay_cpu.h), so what is left is this sum. Output and every gradient of
// the chunk machine is one sweep: y with (a, x, c) = (e, i, s); d_s with (i, e, d_y); reversed in
// time, d_i with (s, d_y, e) and d_e with (d_y, s, i).
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

// Where M is looked at while it passes the first step of every chunk that starts an anchor.
template <class T>
struct Anchors {
  T* keep = nullptr;        // forward: [anchors, deep, wide] is written
  const T* meet = nullptr;  // reverse: [anchors, deep, wide], multiplied with M here, summed ...
  T* over_deep = nullptr;   // ... into [anchors, wide]
  T* over_wide = nullptr;   // ... and [anchors, deep], added
};

// Columns `first` to `last` of one sequence.
template <class T>
struct Sweep {
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
  T* memory = nullptr;  // [deep, wide]; in: before the sweep, out: behind it
  Anchors<T> anchors;
};

template <class T>
struct SweepKernels {
  void (*run)(const Sweep<T>& sweep);
  std::int64_t lanes;  // of a vector: cut columns at multiples of it
};

// For the vectors of this machine. T is float or double.
template <class T>
const SweepKernels<T>& sweep_kernels();

}  // namespace lcsm
