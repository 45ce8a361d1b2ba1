// HGRN: a gated recurrence per channel, complex or real.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Hgrn : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "hgrn",
                                    kHelp = "a gated recurrence per channel, complex or real";

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
};

}  // namespace runner
