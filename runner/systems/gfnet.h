// GFNet (Rao et al. 2021): a learned filter of each channel over all frequencies.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Gfnet {
  static constexpr std::string_view
      kName = "gfnet",
      kHelp = "a learned filter over all frequencies; two-sided only (Rao et al. 2021)";

  static constexpr bool kTwoSided = true;
  std::int64_t length = 512;

  void describe(auto& option) {
    option("length", length, "positions of the circle, at least those of a sequence", {.least = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
