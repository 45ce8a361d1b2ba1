// Mixing of positions by learned filters and matrices: BaseConv, GFNet, gMLP.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

// BaseConv of zoology: conv(x) (W x + b) + x, a causal convolution of each channel.
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

// GFNet (Rao et al. 2021): a learned filter of each channel over all frequencies.
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

// gMLP (Liu et al. 2021): a feed-forward with a gate that mixes positions by a learned matrix.
struct Gmlp {
  static constexpr std::string_view
      kName = "gmlp",
      kHelp = "a gate that mixes positions by a learned matrix (Liu et al. 2021)";

  bool bidirectional = false;
  std::int64_t length = 512;
  lcsm::Word<"full toeplitz"> spatial = "full";
  std::int64_t size = 0;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "every position sees all others, not only earlier ones");
    option("length", length, "maximum sequence length", {.least = 1, .tensor = "spatial.bias"});
    option("spatial", spatial, "the matrix: unconstrained, or a function of the distance");
    option("size", size, "channels inside, half of them gated; 0: 6 d", {.tensor = "input.weight"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
