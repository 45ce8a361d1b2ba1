// The weights of DSS: each mode is normalized by its sum over the whole length.
#pragma once

#include "ets/kernels/filter.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

// How a reciprocal stays finite: conj(x) / (|x|^2 + 1e-7), or conj(x) / max(|x|^2, 1e-7).
enum class Guard : std::uint8_t { kSum, kMax };
at::Tensor guarded_reciprocal(const at::Tensor& x, Guard guard);

// k_t = Re(sum of weight / rate (e^z - 1) / (e^(T z) - 1) e^(t z)), z = log_decay = step * rate,
// [D, M] complex or real; if Re(rate) > 0, e^-z replaces e^z in the quotient and time counts from
// the end: e^((t - T + 1) z).
Modes softmax_modes(const at::Tensor& log_decay, const at::Tensor& rate, const at::Tensor& weight,
                    std::int64_t T, Guard guard, const lcsm::GpuOrCpu& gpu);

}  // namespace ets
