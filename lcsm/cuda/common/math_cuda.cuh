// Numbers of every kernel, and the functions that a tape's source calls, in float32, as careful as
// cpu/math_cpu-inl.h: infinities and NaN behave as in <cmath>. Also read by NVRTC, which has no
// standard header.
#pragma once

namespace lcsm {

// The order is that in tape/tape.h.
enum class Spread { kNumber, kSteps, kChannels, kCells };

struct Bfloat16 {
  unsigned short bits;
};
__device__ inline float number_of(float x) { return x; }
__device__ inline float number_of(Bfloat16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
// Two neighbours of bfloat16.
__device__ inline float2 two_of(unsigned both) {
  return {__uint_as_float(both << 16), __uint_as_float(both & 0xffff0000u)};
}
__device__ inline void put(float* to, float x) { *to = x; }
__device__ inline void put(Bfloat16* to, float x) {
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(to->bits) : "f"(x));
}

// NaN propagates, as in tensors.
__device__ inline float smaller(float x, float y) { return x < y || x != x ? x : y; }
__device__ inline float larger(float x, float y) { return x > y || x != x ? x : y; }

__device__ inline float exp_down(float x) { return expf(-fabsf(x)); }

// 1 / (1 + u) of u in [0, 1]: far from what the approximate division flushes.
__device__ inline float share_of_one(float u) { return __fdividef(1.0f, 1.0f + u); }

// log(1 + u) of u in [0, 1]: the polynomial of cpu/math_cpu-inl.h.
__device__ inline float log1p_of_share(float u) {
  constexpr float kFactors[] = {-0.02950523979961872f, 0.07822595536708832f, -0.13663245737552643f,
                                0.19106006622314453f,  -0.2484298199415207f, 0.3331909775733948f,
                                -0.4999949336051941f,  0.9999999403953552f};
  float q = 0.0052326940931379795f;
#pragma unroll
  for (int n = 0; n < 8; ++n) q = fmaf(q, u, kFactors[n]);
  return q * u;
}

// u = exp(-|x|)
__device__ inline float sigmoid_of(float x, float u) {
  const float share = share_of_one(u);
  return x >= 0.0f ? share : u * share;
}
__device__ inline float softplus_of(float x, float u) { return fmaxf(x, 0.0f) + log1p_of_share(u); }

// 2^x in one instruction. Below 2^-126 it is 0.
__device__ inline float exp2_of(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}
// log2(x) in one instruction, with an error of at most 2^-22 of 1 or, beyond 1/2 .. 2, of itself.
__device__ inline float log2_of(float x) {
  float log;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log) : "f"(x));
  return log;
}
// exp(-|x|) beside a 1: its relative error, up to |x| 2^-24, is small where it is not.
__device__ inline float share_down(float x) { return exp2_of(-1.44269504f * fabsf(x)); }

// exp(c softplus(x)), and the slope of its logarithm. The exponent is rounded once more than expf
// would: by 2^-24 of itself.
__device__ inline float sigmoid_power(float x, float c) {
  return exp2_of(1.44269504f * c * softplus_of(x, share_down(x)));
}
__device__ inline float sigmoid_power_slope(float x, float c) {
  return c * sigmoid_of(x, share_down(x));
}
// sigmoid_power beside sigmoid_power_slope, which needs 1 + u too. For |c| up to 1/8 the
// logarithm's error of 2^-22 changes the power by at most 2^-25 of itself, as much as rounding.
__device__ inline float sigmoid_power_with_slope(float x, float c) {
  if (fabsf(c) > 0.125f) return sigmoid_power(x, c);
  return exp2_of(c * fmaf(1.44269504f, fmaxf(x, 0.0f), log2_of(1.0f + share_down(x))));
}

__device__ inline float step_of(float x) { return x > 0.0f ? 1.0f : 0.0f; }
__device__ inline float elu_of(float x) { return x <= 0.0f ? expm1f(x) : x; }

}  // namespace lcsm
