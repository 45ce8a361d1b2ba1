// Mamba: a projection to inputs and gates, a short convolution, a selective state space.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Mamba : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "mamba",
                                    kHelp = "a selective state space behind a short convolution";

  std::int64_t state = 16, expand = 2, taps = 4, rank = 0, groups = 1;
  bool bias = false, conv_bias = true;
  double step_min = 0.001, step_max = 0.1;

  void describe(auto& option) {
    option("state", state, "states per channel", {.least = 1, .tensor = "log_decay", .axis = 1});
    option("expand", expand, "inner channels, in multiples of d", {.least = 1});
    option("taps", taps, "the length of the convolution",
           {.least = 1, .tensor = "conv.weight", .axis = 1});
    option("rank", rank, "rank of the step's projection; 0: d / 16, rounded up",
           {.tensor = "step.weight", .axis = 1});
    option("groups", groups, "groups of adjacent inner channels that share B and C", {.least = 1});
    option("bias", bias, "bias in the first and the last projection");
    option("conv_bias", conv_bias, "bias in the convolution");
    option("step_min", step_min, "the smallest initial step", {.least = 1e-9, .most = 1e3});
    option("step_max", step_max, "the largest initial step", {.least = 1e-9, .most = 1e3});
    describe_layers(option);  // the last projection begins by their root smaller
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t channels(std::int64_t d) const { return expand * d; }
  std::int64_t step_rank(std::int64_t d) const { return rank > 0 ? rank : (d + 15) / 16; }
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

// The first value of output.weight, divided by the root of the model's layers.
void start_residual(std::int64_t layers, lcsm::Parameters* tensors);

}  // namespace runner
