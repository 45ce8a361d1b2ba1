// A complex recurrence of complex inputs, one sequence at a time:
//   h_t = q h_(t-1) + u_t      M modes; or from the last step to the first
// The running state is float64, so a long float32 sequence keeps its phases. Complex arrays are
// planes: real parts of all modes, then imaginary ones.
#pragma once

#include <cstdint>

namespace ets {

template <class T>
struct SharedScan {
  std::int64_t length = 0, M = 0;
  bool back = false;
  const double* q = nullptr;      // [2, M]
  const double* first = nullptr;  // [2, M]: before the first step; null: 0
  const T* u = nullptr;           // [length, 2, M], as h, d_h and d_u
  T* h = nullptr;
  const T* d_h = nullptr;
  T* d_u = nullptr;
  double* d_q = nullptr;      // [2, M], as d_first: written
  double* d_first = nullptr;  // null: not wanted
};

template <class T>
struct SharedScanKernels {
  // Modes first_mode .. last_mode - 1. Backward reads h.
  void (*forward)(const SharedScan<T>& scan, std::int64_t first_mode, std::int64_t last_mode);
  void (*backward)(const SharedScan<T>& scan, std::int64_t first_mode, std::int64_t last_mode);
};

// Kernels for this processor's vectors. T is float or double.
template <class T>
const SharedScanKernels<T>& shared_scan_kernels();

}  // namespace ets
