// The fused scan, for any gate. Its tape computes the gate in registers and small buffers; the gate
// is never stored over time, k and d together.
//
//   m_t = o_t (.) m_{t-1} + w_t (.) i_t,   y_t[d] = sum_k s_t[k,d] m_t[k,d]
//
// Loops, from outer to inner: blocks of steps, a few rows k at a time, strips of channels. In a
// strip, the gates are computed first; then a pass over the steps keeps a tile of m in registers.
// Backward recomputes a block from the m before it.
#pragma once

#include <cstdint>
#include <vector>

#include "lcsm/tape/tape.h"

namespace lcsm {

// Steps of a block, chosen so that the memories before the blocks take no more room than T (K + D)
// numbers.
std::int64_t scan_block_steps(std::int64_t k, std::int64_t d);

template <class T>
struct ScanLeaf {
  const T* data = nullptr;
  std::int64_t b = 0, t = 0, k = 0;  // strides; 0 = does not vary; d has stride 1
};

// e or s: data [B, T, K], or static [K, D].
template <class T>
struct ScanStage {
  const T* data = nullptr;
  bool is_static = false;
};

// Each part writes sums over rows for its share of the rows, sums over channels for its group, and
// sums over sequences for its worker.
template <class T>
struct ScanGradients {
  T* i = nullptr;                // [shares, B, T, D]
  T *e = nullptr, *s = nullptr;  // data: [groups, B, T, K]; static: [workers, K, D]
  // The gradient of each leaf, null = not wanted. Over data: [shares, B, T, D], [groups, B, T, K]
  // or [groups, B, T]; otherwise [workers, the leaf's axes]. Zero on entry.
  std::vector<T*> leaves;
};

template <class T>
struct Scan {
  const Tape* tape = nullptr;  // if it has a w, e is one of its leaves and not given here
  std::int64_t B = 0, steps = 0, K = 0, D = 0;
  std::int64_t parts = 1;  // of a number of the memory: 2 = real, imaginary
  const T* i = nullptr;    // [B, T, D]
  int scaled_by = -1;      // the leaf over cells that multiplies i; -1: none, as in complex scans
  ScanStage<T> e, s;
  std::vector<ScanLeaf<T>> leaves;
  T* states = nullptr;  // [B, blocks, parts K, D]: forward writes them, null = not wanted
  T* y = nullptr;       // [shares, B, T, D], forward
  T* memory = nullptr;  // [B, parts K, D]; forward: m; backward: its gradient. In: at the start,
                        // out: at the end of the pass
  const T* d_y = nullptr;
  ScanGradients<T> d;
  // Only for a complex scan whose o is static: o^(steps of a block) and o^(steps of the last
  // block), each for exact o and for o rounded to T, [2, 2, parts, K, D]; null = the memory is
  // carried as T.
  const double* powers = nullptr;
};

// One sequence, some of its channels, some rows of its memory. Only one thread at a time runs the
// parts of a worker.
struct ScanPart {
  std::int64_t b = 0, first = 0, last = 0, first_k = 0, last_k = 0;
  std::int64_t share = 0;  // of the rows
  std::int64_t group = 0;  // of channels and rows
  std::int64_t worker = 0;
};

template <class T>
struct ScanKernels {
  void (*forward)(const Scan<T>& scan, const ScanPart& part);
  void (*backward)(const Scan<T>& scan, const ScanPart& part);
  std::int64_t lanes;  // per vector: split channels at multiples of this
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const ScanKernels<T>& scan_kernels();

}  // namespace lcsm
