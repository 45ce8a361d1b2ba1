// FLASH (Hua et al. 2022): a gated attention unit, quadratic inside chunks and linear between them.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Flash {
  static constexpr std::string_view
      kName = "flash",
      kHelp =
          "gated attention, squared relu in chunks and linear between them "
          "(Hua et al. 2022)";

  bool bidirectional = false;
  std::int64_t size = 0, shared = 128, chunk = 256;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "every position sees all others, not only earlier ones");
    option("size", size, "channels of gate and value; 0: 2 d", {.tensor = "gate.weight"});
    option("shared", shared, "channels that queries and keys share",
           {.least = 1, .tensor = "shared.weight"});
    option("chunk", chunk, "positions per chunk", {.least = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
