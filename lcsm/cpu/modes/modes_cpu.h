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
  // q^block and q^(steps of the last block): each exact, then minus the same power of q as rounded
  // to T: [2, 2] of shape. Null if T is float64.
  const T* powers = nullptr;
  double* u = nullptr;  // [B] of shape: enters, leaves
  T* states = nullptr;  // [B, blocks] of shape: u before each block; null: not stored
  // The gradient: w_t = q w_{t+1} + d_y_t, d_x_t = Re sum_n c w_t.
  // Sums over t of w_t x_t and w_t u_{t-1}, of w_{t+1} where reads are late.
  double* w = nullptr;                    // [B] of shape: enters, leaves
  double *w_x = nullptr, *w_u = nullptr;  // [workers] of shape
};

template <class T>
struct ModesScan {
  std::int64_t steps = 0, D = 0, columns = 0;
  std::int64_t block = 0;                     // steps of a block
  const T* x = nullptr;                       // [B, steps, D]
  T* y = nullptr;                             // [B, steps, D]
  std::vector<ModesDirection<T>> directions;  // one or both directions; the first decides
  const T* d_y = nullptr;                     // null = 0
  T* d_x = nullptr;
  bool adds = false;  // to d_x, which is else written

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
