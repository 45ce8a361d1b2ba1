// Adam, bit for bit what LibTorch's _fused_adamw_ and _fused_adam_ compute on a CPU in whole
// vectors.
#pragma once

#include "lcsm/cuda/step/adam_cuda.h"
#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

// Sums squares of a part of the gradients. The parts depend on the count and the grid only.
__device__ inline void adam_norm(const AdamCuda& adam) {
  __shared__ double parts[32];
  const auto* const all = reinterpret_cast<const float4*>(adam.gradients);
  const long long vectors = adam.count / 4, stride = 1ll * gridDim.x * kAdamThreads;
  double sum = 0;
#pragma unroll 4
  for (long long v = 1ll * blockIdx.x * kAdamThreads + threadIdx.x; v < vectors; v += stride) {
    const float4 g = all[v];
    const double x = g.x, y = g.y, z = g.z, w = g.w;
    sum += fma(x, x, y * y) + fma(z, z, w * w);
  }
  sum = block_sum(sum, parts);
  if (threadIdx.x == 0) adam.partial[blockIdx.x] = sum;
}

// By repeated squaring, for the same bits everywhere.
__device__ inline double power(double x, long long n) {
  double all = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 == 1) all *= x;
  return all;
}

// One block: the norm, and whether and how the step changes parameters.
__device__ inline void adam_begin(const AdamCuda& adam) {
  __shared__ double parts[32];
  double sum = 0;
  for (int n = threadIdx.x; n < adam.parts; n += kAdamThreads) sum += adam.partial[n];
  sum = block_sum(sum, parts);
  if (threadIdx.x != 0) return;
  const double norm = sqrt(sum), loss = adam.loss_norm[0];
  const bool counts = isfinite(norm) && isfinite(loss) && loss <= adam.most_loss;
  const long long n = *adam.steps + counts;
  adam.loss_norm[1] = norm;
  *adam.steps = n;
  const bool clips = adam.clip > 0 && norm > adam.clip;
  *adam.step = {1 - power(adam.beta1, n), static_cast<float>(sqrt(1 - power(adam.beta2, n))),
                clips ? static_cast<float>(adam.clip / (norm + kAdamClipEpsilon)) : 1.0f, counts};
}

// With the roundings of LibTorch's vectors, no more and no fewer.
struct AdamUpdate {
  float share1, beta2, share2, eps, root, scale;
  float decay;  // of the value (decoupled), or added to the gradient
  float step;   // of this range
  bool decoupled, decays;

  __device__ void operator()(float g, float* value, float* mean, float* square) const {
    g = __fmul_rn(g, scale);
    if (decays && decoupled) *value = __fmul_rn(*value, decay);
    if (decays && !decoupled) g = __fmaf_rn(*value, decay, g);
    const bool near = share1 < 0.5f;
    *mean = __fmaf_rn(near ? share1 : __fsub_rn(share1, 1), __fsub_rn(g, *mean), near ? *mean : g);
    *square = __fmaf_rn(__fmul_rn(share2, g), g, __fmul_rn(*square, beta2));
    const float root_of = __fadd_rn(__fdiv_rn(__fsqrt_rn(*square), root), eps);
    *value = __fadd_rn(*value, __fdiv_rn(__fmul_rn(-step, *mean), root_of));
  }
};

__device__ inline void adam_update(const AdamCuda& adam) {
  __shared__ float decays[kAdamMostRanges], rates[kAdamMostRanges];
  const AdamStepCuda step = *adam.step;
  if (!step.counts) return;
  if (threadIdx.x < adam.range_count) {
    const AdamRangeCuda& range = adam.ranges[threadIdx.x];
    const double rate = *adam.rate * range.rate;
    const double decay = adam.decoupled ? 1 - rate * range.decay : range.decay;
    decays[threadIdx.x] = static_cast<float>(decay);
    rates[threadIdx.x] = static_cast<float>(rate / step.bias);
  }
  __syncthreads();
  AdamUpdate update{static_cast<float>(1 - adam.beta1),
                    static_cast<float>(adam.beta2),
                    static_cast<float>(1 - adam.beta2),
                    static_cast<float>(adam.eps),
                    step.root,
                    step.scale,
                    0,
                    0,
                    adam.decoupled,
                    false};
  const long long end = adam.ranges[adam.range_count - 1].end / 4;
  const long long first = adam.begin / 4 + 1ll * blockIdx.x * kAdamThreads * kAdamVectors;
  const long long last = min(end, first + kAdamThreads * kAdamVectors);
  auto* const values = reinterpret_cast<float4*>(adam.values);
  auto* const means = reinterpret_cast<float4*>(adam.means);
  auto* const squares = reinterpret_cast<float4*>(adam.squares);
  for (long long v = first + threadIdx.x; v < last; v += kAdamThreads) {
    int of = 0;
    while (4 * v >= adam.ranges[of].end) ++of;
    update.decay = decays[of], update.step = rates[of];
    update.decays = adam.ranges[of].decay != 0;
    const float4 g = reinterpret_cast<const float4*>(adam.gradients)[v];
    float4 value = values[v], mean = means[v], square = squares[v];
    update(g.x, &value.x, &mean.x, &square.x);
    update(g.y, &value.y, &mean.y, &square.y);
    update(g.z, &value.z, &mean.z, &square.z);
    update(g.w, &value.w, &mean.w, &square.w);
    values[v] = value, means[v] = mean, squares[v] = square;
  }
}

}  // namespace lcsm

#define LCSM_ADAM_KERNEL(name)                                     \
  extern "C" __global__ void __launch_bounds__(lcsm::kAdamThreads) \
      adam_##name(const __grid_constant__ lcsm::AdamCuda given) {  \
    lcsm::adam_##name(given);                                      \
  }
#define LCSM_ADAM_KERNELS() \
  LCSM_ADAM_KERNEL(norm)    \
  LCSM_ADAM_KERNEL(begin)   \
  LCSM_ADAM_KERNEL(update)
