// The kernel of modes as an operation with its own gradient: memory grows with G D T, not with
// G D T M, since nothing but the modes is kept.
#pragma once

#include "ets/kernels/filter.h"

namespace ets {

// Modes whose exponentials over a block of steps are finite; those that grow faster than e^11 a
// step have the definition only.
bool fit_for_vandermonde(const Modes& modes);

// [G, D, T], as taps_of says, on the CPU or on the GPU of an lcsm::ComputeOn. There is no gradient
// of the origin, which is a choice.
at::Tensor vandermonde_taps(const Modes& modes, std::int64_t T);

// taps_of, by these loops where they fit.
at::Tensor fast_taps_of(const Filter& filter, std::int64_t T);

}  // namespace ets
