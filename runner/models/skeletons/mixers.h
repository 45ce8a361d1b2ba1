// Token mixers, one row per family: x [B, T, d] -> [B, T, d].
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <vector>

#include "ets/layer/layer.h"
#include "lcsm/layer/layer.h"
#include "runner/models/blocks/cross_attention.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

// A mixer or a feed-forward, compiled once.
using Mixer = std::function<lcsm::BlockResult(const lcsm::Weights& weights, const at::Tensor& x,
                                              const lcsm::BlockContext& context)>;

// A decoder layer's cross-attention to the encoder.
using CrossMixer =
    std::function<at::Tensor(const lcsm::Weights& weights, const at::Tensor& x,
                             const EncodedSource& source, const lcsm::BlockContext& context)>;

struct LayerMixers {
  Mixer mix, feed;                                 // feed: of a named system; empty: none
  lcsm::ReadBy read_by = lcsm::ReadBy::kAnything;  // the operations that read the input of `mix`
  lcsm::ReadBy feed_read_by = lcsm::ReadBy::kAnything;  // of `feed`
  bool recalls = false;  // carries the state of `mix` on to the next of consecutive examples
  Mixer decode = {};     // decode and cross: of a decoder
  CrossMixer cross = {};
};

struct MixerRow {
  std::string_view name;  // as in family_rows.h
  LayerMixers (*of_layer)(const ModelPlan& plan, std::size_t layer);
};

// The mixers of each layer.
std::vector<LayerMixers> mixers_of(const ModelPlan& plan);

}  // namespace runner
