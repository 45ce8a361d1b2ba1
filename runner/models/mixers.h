// Token mixers, one row per family: x [B, T, d] -> [B, T, d].
#pragma once

#include <ATen/core/Tensor.h>

#include "lcsm/layer/layer.h"
#include "runner/config/model_tensors.h"

namespace runner {

struct MixerRow {
  std::string_view family;  // as in model.family
  at::Tensor (*mix)(const ModelPlan& plan, const lcsm::Weights& weights, const at::Tensor& x);
};

const MixerRow& mixer_of(const ModelPlan& plan);

}  // namespace runner
