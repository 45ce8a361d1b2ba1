// The kernel of modes as an operation with its own gradient: memory grows with G D T, not with G D
// T M, since only the modes are stored.
#pragma once

#include "ets/kernels/filter.h"
#include "lcsm/cuda/driver/gpu_or_cpu.h"

namespace ets {

// True if the modes' exponentials over a block of steps are finite. Modes that grow faster than
// e^11 per step are computed by the definition only.
bool fit_for_vandermonde(const Modes& modes, const lcsm::GpuOrCpu& gpu = nullptr);

// Computes taps_of, [G, D, T]. The origin is a choice and has no gradient.
at::Tensor vandermonde_taps(const Modes& modes, std::int64_t T,
                            const lcsm::GpuOrCpu& gpu = nullptr);

// taps_of, computed by vandermonde_taps if the modes fit.
at::Tensor fast_taps_of(const Filter& filter, std::int64_t T, const lcsm::GpuOrCpu& gpu = nullptr);

}  // namespace ets
