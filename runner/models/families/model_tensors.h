// The tensors of a configured model: names, shapes, initial values. Needs no torch.
#pragma once

#include <optional>
#include <vector>

#include "lcsm/block/block.h"
#include "lcsm/code/variant.h"
#include "lcsm/code/wikitext.h"
#include "runner/config/run/run_config.h"
#include "runner/systems/cross_attention.h"
#include "runner/systems/eos_parts.h"

namespace runner {

// The blocks of a decoder's layer before its feed-forward, which is like the encoder's.
struct DecoderBlocks {
  lcsm::Block mixer;
  Cross cross;
};

// The blocks of a layer of a named system; with a decoder, of encoder and decoder at this depth.
struct LayerBlocks {
  lcsm::Block mixer;
  std::optional<lcsm::Block> feed;
  std::optional<DecoderBlocks> decoder = {};
};

// A configuration, with the vocabulary size that only the data determines.
struct ModelPlan {
  RunConfig config;
  std::int64_t vocab = 0;
  std::optional<lcsm::Variant> variant;  // of a family with a code
  std::optional<EosParts> parts;         // the code with the parts around it
  std::vector<LayerBlocks> blocks;       // of each layer of a named system
};
ModelPlan plan_model(const RunConfig& config, std::int64_t vocab);

// Lists the tensors from input to output: embedding, positions, "shared.mixer." for tensors that
// all mixers share, "layers.N." for mixer and channel mixer, the final norm.
std::vector<lcsm::Parameter> tensors_of(const ModelPlan& plan);

// total() is the count that the papers report.
lcsm::ParameterCount count_of(const ModelPlan& plan);

// Parameter counts by place; all layers are alike.
struct TensorCounts {
  lcsm::ParameterCount mixer, rest;  // of a layer
  lcsm::ParameterCount around;       // embedding, positions, final norm
};
TensorCounts counts_of(const ModelPlan& plan);

// The sizes that symbols in init formulas refer to.
lcsm::Sizes sizes_of(const ModelPlan& plan);

}  // namespace runner
