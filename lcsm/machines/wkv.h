// The weighted mean of RWKV-4, per channel:
//
//   y_t = (sum_{i<t} e^(k_i - (t-1-i) w) v_i + e^(u + k_t) v_t) / (the same sum without v)
//
// The state is the mean n_t and the logarithm L_t of the sum of its weights, which never overflow:
//
//   y_t = n_(t-1) + sigmoid(u + k_t - L_(t-1)) (v_t - n_(t-1))
//   L_t = log(e^(L_(t-1) - w) + e^(k_t)),  n_t = n_(t-1) + e^(k_t - L_t) (v_t - n_(t-1))
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace lcsm {

struct WkvInputs {
  at::Tensor k, v;           // [B, T, D]
  at::Tensor w, u;           // [D]
  at::Tensor mean, log_sum;  // [B, D], of the steps before; undefined = none
};

struct WkvResult {
  at::Tensor y;              // [B, T, D]
  at::Tensor mean, log_sum;  // after the last step
};

// Under autograd. All in float64 (not on a GPU) or float32; or k, v and y in bfloat16, all else in
// float32. Devices other than a CPU and our GPU compute the definition.
WkvResult wkv(const WkvInputs& inputs, const GpuOrCpu& gpu = nullptr);

// The definition: a loop over time with the authors' running maximum, in tensor operations.
WkvResult wkv_reference(const WkvInputs& inputs);

}  // namespace lcsm
