// Token mixers, one row per family: x [B, T, d] -> [B, T, d]. They read only padding, residual and
// drop from the context.
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/block.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

struct MixerRow {
  std::string_view name;  // as in family_rows.h
  at::Tensor (*mix)(const ModelPlan& plan, std::size_t layer, const lcsm::Weights& weights,
                    const at::Tensor& x, const lcsm::BlockContext& context);
};

const MixerRow& mixer_of(const ModelPlan& plan);

}  // namespace runner
