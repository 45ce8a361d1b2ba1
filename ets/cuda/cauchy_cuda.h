// The sums of S4's kernel on a GPU: what is given to the kernels that compute them. Read by nvcc,
// NVRTC and C++: plain pointers and sizes. cpu/cauchy_cpu.h has the same sums.
#pragma once

namespace ets {

constexpr int kCauchyLanes = 32;  // modes at a time
constexpr int kCauchyWarps = 8;
constexpr int kCauchyRounds = 2;  // forward: nodes of a thread
constexpr int kCauchyTile = kCauchyLanes * kCauchyWarps * kCauchyRounds;
constexpr int kCauchyStaged = 16 * kCauchyWarps;  // backward: nodes in shared memory at a time

struct CauchyCuda {
  int M, D, length;  // nodes k = 0 .. length / 2
  // Re L and |L|^2, [D, M]; Re v and Re(v conj(L)), [sums, D, M].
  const double *real, *square, *v_real, *v_rate;
  float* r;  // [sums, D, nodes, 2]
  const float* d_r;
  double *d_real, *d_square, *d_v_real, *d_v_rate;  // written
};

}  // namespace ets
