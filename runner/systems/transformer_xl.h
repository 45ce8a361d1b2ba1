// Transformer-XL (Dai et al. 2019): attention to a segment and to a memory of earlier segments, by
// relative positions.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct TransformerXl : AttentionOptions {
  static constexpr std::string_view kName = "transformer-xl",
                                    kHelp = "attention to a segment and a memory (Dai et al. 2019)";
  static constexpr bool kRecalls = true;

  std::int64_t memory = 512;
  double attention_dropout = 0;

  void describe(auto& option) {
    describe_heads(option);
    option("memory", memory,
           "steps before the segment that are seen; task.order = consecutive carries them on");
    option("attention_dropout", attention_dropout, "dropout rate of the weights of attention",
           {.most = lcsm::kMostDropped});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
