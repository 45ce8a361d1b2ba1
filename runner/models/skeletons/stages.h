// What the skeletons share: the embedded inputs, what blocks are told, the mixer of a layer.
#pragma once

#include "runner/models/skeletons/model.h"

namespace runner {

// What reads the last norm: a head over tokens is a product.
lcsm::ReadBy head_reads(const ModelPlan& plan);

double root_of_width(const Model& model);

// [B, T, d], times `scale`, with positions where the model has them; zero where there is padding.
at::Tensor embedded(const Model& model, const Inputs& inputs, double scale);

// Stochastic depth (Huang et al. 2016): the share of examples that skip a unit of a layer.
double skipped_in(const ModelPlan& plan, std::size_t layer);

lcsm::BlockContext context_of(const Model& model, const Inputs& inputs, Dropout& dropout);

// The mixer of layer n, which takes its part of `carried` and leaves what follows.
at::Tensor mixed(const Model& model, std::size_t n, const at::Tensor& x, lcsm::BlockContext context,
                 Carried* carried);
// The same of its feed-forward, whose tensors have this name.
at::Tensor fed(const Model& model, std::size_t n, const std::string& name, const at::Tensor& x,
               lcsm::BlockContext context, Carried* carried);

}  // namespace runner
