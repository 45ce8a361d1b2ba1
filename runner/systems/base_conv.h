// BaseConv of zoology: conv(x) (W x + b) + x, a causal convolution of each channel.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct BaseConv {
  static constexpr std::string_view kName = "base-conv",
                                    kHelp = "a short convolution times a projection (zoology)";

  std::int64_t taps = 3;

  void describe(auto& option) {
    option("taps", taps, "the length of the convolution",
           {.least = 1, .tensor = "conv.weight", .axis = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
