// A sum of modes, a recurrence that does not vary with time: u_t = q u_{t-1} + x_t for each mode n
// of each channel d,
// y_t[d] = Re sum_n c[n,d] u_t[n,d].
// Real or complex; in one direction, or in both in one pass over x and y.
#pragma once

#include <cstdint>
#include <vector>

namespace lcsm {

// A matrix [parts, N, columns]: parts are 1 (real), or 2 (real, imaginary). Columns are the
// channels, padded with zeros to whole strips.
struct ModesShape {
  std::int64_t N = 0, columns = 0, parts = 1;
  std::int64_t cells() const { return N * columns; }
  std::int64_t size() const { return parts * cells(); }
};

template <class T>
struct ModesDirection {
  ModesShape shape;
  bool back = false;                   // from the last step to the first
  bool late = false;                   // y_t reads u before x_t enters
  const T *q = nullptr, *c = nullptr;  // of shape
  // q^block and q^(steps of the last block). For each: the exact power, then the exact power minus
  // the power of q rounded to T. [2, 2] of shape; null if T is float64.
  const T* powers = nullptr;
  double* u = nullptr;  // [B] of shape; in: before the first block, out: after the last
  T* states = nullptr;  // [B, blocks] of shape: u before each block; null: not stored
  // The gradient: w_t = q w_{t+1} + d_y_t, d_x_t = Re sum_n c w_t. w_x and w_u are sums over t of
  // w_t x_t and w_t u_{t-1}. If reads are late, w_{t+1} replaces w_t in d_x, w_x and w_u.
  double* w = nullptr;                    // [B] of shape; in and out as u
  double *w_x = nullptr, *w_u = nullptr;  // [workers] of shape
};

template <class T>
struct ModesScan {
  std::int64_t steps = 0, D = 0, columns = 0;
  std::int64_t block = 0;                     // steps of a block
  const T* x = nullptr;                       // [B, steps, D]
  T* y = nullptr;                             // [B, steps, D]
  std::vector<ModesDirection<T>> directions;  // one or both; the first sets the order of blocks
  const T* d_y = nullptr;                     // null = 0
  T* d_x = nullptr;
  bool adds = false;  // adds to d_x instead of writing it

  std::int64_t blocks() const { return (steps + block - 1) / block; }
};

// The work of one call: channels [first, last) of sequence b, whole strips.
struct ModesPart {
  std::int64_t b = 0, first = 0, last = 0, worker = 0;
};

template <class T>
struct ModesKernels {
  std::int64_t strip = 0;  // channels
  void (*forward)(const ModesScan<T>&, const ModesPart&) = nullptr;
  void (*backward)(const ModesScan<T>&, const ModesPart&) = nullptr;
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const ModesKernels<T>& modes_kernels();

}  // namespace lcsm
