// Helpers for the state that machines carry.
#pragma once

#include "ets/machines/machines.h"

namespace ets {

// A tensor like `like` from its real storage, [..., 2] if it is complex; zeros where there is none.
// Throws std::invalid_argument for another shape.
at::Tensor opened(const lcsm::BlockState& state, const std::string& name, const at::Tensor& like);

// Its storage as real numbers.
at::Tensor stored(const at::Tensor& h);

}  // namespace ets
