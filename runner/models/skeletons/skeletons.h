// Skeletons, one row each: how the parts of a model are connected.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

struct SkeletonRow {
  std::string_view name;  // as in model.skeleton
  // -> [B, T, d]. `carried`: as of Model::hidden, with an entry for each layer, or null.
  at::Tensor (*hidden)(const Model& model, const Inputs& inputs, Dropout& dropout,
                       Carried* carried);
};

const SkeletonRow& skeleton_of(const ModelPlan& plan);

}  // namespace runner
