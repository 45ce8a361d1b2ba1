// Luna (Ma et al. 2021): attention through a few packed positions, learned in each block.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct Luna : AttentionOptions {
  static constexpr std::string_view
      kName = "luna",
      kHelp = "attention through packed positions, linear (Ma et al. 2021)";

  std::int64_t packed = 16;
  lcsm::Word<"softplus elu"> activation = "softplus";

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("packed", packed, "packed positions", {.least = 1, .tensor = "packed"});
    option("activation", activation,
           "activation of the causal form's packing weights; elu: elu + 1",
           {.needs = "bidirectional=false"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
