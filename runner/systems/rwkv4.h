// RWKV-4: the time mix and the channel mix.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Rwkv4 : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "rwkv4",
                                    kHelp = "the time mix of RWKV-4: a running softmax that decays";

  void describe(auto& option) {
    describe_layer(option);
    describe_layers(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct Rwkv4Feed : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "rwkv4-feed", kHelp = "the channel mix of RWKV-4";

  std::int64_t width = 0;

  void describe(auto& option) {
    describe_layer(option);
    describe_layers(option);
    option("width", width, "inner channels; 0: 4 d", {.tensor = "key.weight"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
