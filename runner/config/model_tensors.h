// The tensors of a configuration's model: names, shapes, first values. Free of torch.
#pragma once

#include <optional>
#include <vector>

#include "lcsm/code/variant.h"
#include "lcsm/code/wikitext.h"
#include "runner/config/run_config.h"

namespace runner {

// A configuration and what only the data tell.
struct ModelPlan {
  RunConfig config;
  std::int64_t vocab = 0;
  std::optional<lcsm::Variant> variant;  // of family eos
};
ModelPlan plan_model(const RunConfig& config, std::int64_t vocab);

// Input to output: embedding, positions, "layers.N." with mixer and what stands behind it, final
// norm.
std::vector<lcsm::Parameter> tensors_of(const ModelPlan& plan);

// total() is what the papers print.
lcsm::ParameterCount count_of(const ModelPlan& plan);

// The numbers of tensors by where they are, of a layer once: layers are alike.
struct TensorCounts {
  lcsm::ParameterCount mixer, rest;  // of a layer
  lcsm::ParameterCount around;       // embedding, positions, final norm
};
TensorCounts counts_of(const ModelPlan& plan);

// Symbols of a tensor's init formula stand for these.
lcsm::Sizes sizes_of(const ModelPlan& plan);

}  // namespace runner
