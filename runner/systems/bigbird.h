// BigBird (Zaheer et al. 2020): attention to near, global and random blocks of positions.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct Bigbird : AttentionOptions, DrawOption {
  static constexpr std::string_view
      kName = "bigbird",
      kHelp = "attention to near, global and random blocks (Zaheer et al. 2020)";

  std::int64_t block = 64, window = 3, global = 2, random = 3;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("block", block, "positions per block", {.least = 1});
    option("window", window,
           "near blocks: the block itself and as many on each side (an odd number)", {.least = 1});
    option("global", global, "first blocks, which see all and are seen by all");
    option("random", random, "random blocks that each block sees");
    DrawOption::describe(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
