// Kernels that are sums of modes, on a GPU: what is given to the code that computes them. Read by
// nvcc, NVRTC and C++: plain pointers and sizes. cpu/vandermonde_cpu.h has the same sums:
//   k_t = sum over m of Re(w_m exp((t - o_m) z_m)),  z = log_decay + i angle
#pragma once

namespace ets {

constexpr int kVandermondeLanes = 32;  // modes at a time, and steps side by side
constexpr int kVandermondeWarps = 8;
constexpr int kVandermondeRounds = 8;  // forward: steps of a thread
constexpr int kVandermondeTile = kVandermondeLanes * kVandermondeRounds * kVandermondeWarps;

struct VandermondeCuda {
  int rows, M, length;
  // [rows, M]; null = 0 but for log_decay and weight.
  const double *log_decay, *angle, *weight, *weight_imag, *origin;
  float* kernel;  // [rows, length]
  const float* d_kernel;
  double *d_log_decay, *d_angle, *d_weight,
      *d_weight_imag;  // [rows, M], written; null = not wanted
};

}  // namespace ets
