// Transformer-LS (Zhu et al. 2021): a window, and projections of what is far.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct TransformerLs : AttentionOptions {
  static constexpr std::string_view
      kName = "transformer-ls",
      kHelp = "attention to a window and to projections of the rest (Zhu et al. 2021)";

  std::int64_t window = 128, projected = 1, segment = 16;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("window", window, "positions per segment of the window; an even number", {.least = 2});
    option("projected", projected, "projected positions per head; causal: per segment",
           {.least = 1});
    option("segment", segment, "positions that are projected together, causal form only",
           {.least = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
