// Each number by itself: memory bounds it, so f and its slope are computed again backward.
#pragma once

#include "lcsm/cuda/step/gated_cuda.h"
#include "lcsm/cuda/step/vectors_cuda.cuh"

namespace lcsm {

struct Active {
  float value, slope;
};
template <Activation f>
__device__ Active active(float x) {
  if (f == Activation::kIdentity) return {x, 1};
  if (f == Activation::kRelu) return {larger(x, 0), x <= 0 ? 0.0f : 1.0f};
  if (f == Activation::kGelu) {
    const float share = 0.5f * erfcf(-0.70710678f * x);
    return {x * share, share + x * 0.39894228f * expf(-0.5f * x * x)};
  }
  const float u = exp_down(x), share = sigmoid_of(x, u), rest = sigmoid_of(-x, u);
  if (f == Activation::kSigmoid) return {share, share * rest};
  return {x * share, share * (1 + x * rest)};
}

template <class G, class V>
struct OutOf {
  using Type = float;
};
template <>
struct OutOf<Bfloat16, Bfloat16> {
  using Type = Bfloat16;
};

__device__ inline long long place_of_gate(const GatedCuda& given, long long first) {
  if (given.gate_row == given.columns) return first;
  const auto n = static_cast<unsigned>(first), row = n / given.columns;
  return row * given.gate_row + n % given.columns;
}

template <Activation f, class G, class V, int kUnit>
__device__ void gated_forward(const GatedCuda& given) {
  using Out = typename OutOf<G, V>::Type;
  each_unit<kGatedThreads, kGatedUnits, kUnit>(given.count, [&](long long first) {
    float gate[kUnit], value[kUnit];
    read_unit(static_cast<const G*>(given.gate) + place_of_gate(given, first), gate);
    read_unit(static_cast<const V*>(given.value) + first, value);
#pragma unroll
    for (int n = 0; n < kUnit; ++n) value[n] *= active<f>(gate[n]).value;
    write_unit(static_cast<Out*>(given.out) + first, value);
  });
}

template <Activation f, class G, class V, int kUnit>
__device__ void gated_backward(const GatedCuda& given) {
  using Out = typename OutOf<G, V>::Type;
  each_unit<kGatedThreads, kGatedUnits, kUnit>(given.count, [&](long long first) {
    float gate[kUnit], value[kUnit], d_out[kUnit];
    read_unit(static_cast<const G*>(given.gate) + place_of_gate(given, first), gate);
    read_unit(static_cast<const V*>(given.value) + first, value);
    read_unit(static_cast<const Out*>(given.d_out) + first, d_out);
#pragma unroll
    for (int n = 0; n < kUnit; ++n) {
      const Active a = active<f>(gate[n]);
      gate[n] = d_out[n] * value[n] * a.slope;
      value[n] = d_out[n] * a.value;
    }
    write_unit(static_cast<G*>(given.d_gate) + first, gate);
    write_unit(static_cast<V*>(given.d_value) + first, value);
  });
}

}  // namespace lcsm

#define LCSM_GATED_KERNEL(way, name, f, G, V, kUnit)                                  \
  extern "C" __global__ void __launch_bounds__(lcsm::kGatedThreads)                   \
      gated_##way##_##name##_##kUnit(const __grid_constant__ lcsm::GatedCuda given) { \
    lcsm::gated_##way<f, G, V, kUnit>(given);                                         \
  }
#define LCSM_GATED_KERNELS(name, f, G, V)       \
  LCSM_GATED_KERNEL(forward, name, f, G, V, 4)  \
  LCSM_GATED_KERNEL(forward, name, f, G, V, 1)  \
  LCSM_GATED_KERNEL(backward, name, f, G, V, 4) \
  LCSM_GATED_KERNEL(backward, name, f, G, V, 1)
