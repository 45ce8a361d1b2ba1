// Shared by the skeletons: embedded inputs, contexts of blocks, the mixer of a layer.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

// The operation that reads the last norm; a head over tokens is a product.
lcsm::ReadBy head_reads(const ModelPlan& plan);

double root_of_width(const Model& model);

// [B, T, d], times `scale`, plus positions if the model has them; zero at padding.
at::Tensor embedded(const Model& model, const Inputs& inputs, double scale);

// Stochastic depth (Huang et al. 2016): the share of examples that skip a unit of a layer.
double skipped_in(const ModelPlan& plan, std::size_t layer);

lcsm::BlockContext context_of(const Model& model, const Inputs& inputs, Dropout& dropout);

// Applies the mixer of layer n. Reads and updates the mixer's state in `carried`.
at::Tensor mixed(const Model& model, std::size_t n, const at::Tensor& x, lcsm::BlockContext context,
                 Carried* carried);
// Like mixed(), for the feed-forward whose tensors have this name.
at::Tensor fed(const Model& model, std::size_t n, const std::string& name, const at::Tensor& x,
               lcsm::BlockContext context, Carried* carried);

}  // namespace runner
