// A decoder's cross-attention to the encoder (systems/cross_attention.h).
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/block.h"
#include "runner/systems/cross_attention.h"

namespace runner {

struct EncodedSource {
  at::Tensor output;        // [B, S, d]
  at::Tensor padding = {};  // [B, S] of bool; undefined: none
};

// x [B, T, d] -> the term added to the residual, [B, T, d].
at::Tensor cross_forward(const Cross& cross, const lcsm::Weights& weights, const at::Tensor& x,
                         const EncodedSource& source, const lcsm::BlockContext& context);

}  // namespace runner
