// Gated recurrences per channel: RWKV-4 and HGRN.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

// RWKV-4: the time mix and the channel mix.
struct Rwkv4 : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "rwkv4",
                                    kHelp = "the time mix of RWKV-4: a running softmax that decays";
  static constexpr bool kBeginsWithProducts = true;

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
  static constexpr bool kBeginsWithProducts = true;

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

// HGRN: a gated recurrence per channel, complex or real.
struct Hgrn : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "hgrn",
                                    kHelp = "a gated recurrence per channel, complex or real";
  static constexpr bool kBeginsWithProducts = true;

  lcsm::Word<"complex real"> form = "complex";
  lcsm::Word<"fixed learned"> bound = "fixed";
  double lower_bound = 0;
  bool bidirectional = false, shared = false;

  void describe(auto& option) {
    option("form", form, "memory of a channel; real without a lower bound is LRN");
    option("bound", bound,
           "lower bound of the decay; learned: a running sum over the model's layers");
    option("lower_bound", lower_bound, "the fixed bound", {.most = 1, .needs = "bound=fixed"});
    option("bidirectional", bidirectional, "add a scan from the end");
    option("shared", shared, "both directions rotate by the same angles");
    describe_layer(option);
    describe_layers(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
  at::Tensor least_decay(const lcsm::Weights& weights) const;  // [d], or one number
};

}  // namespace runner
