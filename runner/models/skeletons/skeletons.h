// Skeletons, one row each: how the parts of a model are connected.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

struct SkeletonRow {
  std::string_view name;  // as in model.skeleton
  // -> [B, T, d]
  at::Tensor (*hidden)(const Model& model, const Inputs& inputs, Dropout& dropout);
};

const SkeletonRow& skeleton_of(const ModelPlan& plan);

}  // namespace runner
