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

// A mixer, or what follows it. Compiled once.
using Mixer = std::function<lcsm::BlockResult(const lcsm::Weights& weights, const at::Tensor& x,
                                              const lcsm::BlockContext& context)>;

// What a decoder's layer reads of the encoder.
using CrossMixer =
    std::function<at::Tensor(const lcsm::Weights& weights, const at::Tensor& x,
                             const EncodedSource& source, const lcsm::BlockContext& context)>;

struct LayerMixers {
  Mixer mix, feed;                                      // feed: of a named system; empty: none
  lcsm::ReadBy read_by = lcsm::ReadBy::kAnything;       // what reads the input of `mix`
  lcsm::ReadBy feed_read_by = lcsm::ReadBy::kAnything;  // of `feed`
  bool recalls = false;  // the state of `mix` goes on to the next example of consecutive ones
  Mixer decode = {};     // of a decoder, as is the next
  CrossMixer cross = {};
};

struct MixerRow {
  std::string_view name;  // as in family_rows.h
  LayerMixers (*of_layer)(const ModelPlan& plan, std::size_t layer);
};

// Of each layer.
std::vector<LayerMixers> mixers_of(const ModelPlan& plan);

}  // namespace runner
