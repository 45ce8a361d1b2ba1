// Selective state spaces: Mamba and Mamba-2.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

// Mamba: a projection to inputs and gates, a short convolution, a selective state space.
struct Mamba : lcsm::LayerPlaceOptions {
  static constexpr std::string_view kName = "mamba",
                                    kHelp = "a selective state space behind a short convolution";
  static constexpr bool kBeginsWithProducts = true;

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

// Mamba-2: a state space with one decay per head; heads share e and s.
// dt = softplus(W x + b), m = exp(-exp(w) dt) m + dt B x^T, y = C m + D x,
// out = W rms(y silu(W_z x)).
struct Mamba2 : CodeBlock<Mamba2>, lcsm::LayerPlaceOptions {
  static constexpr std::string_view
      kName = "mamba-2",
      kHelp = "a state space with a data-dependent decay per head (Mamba-2)";

  std::int64_t state = 128, inner = 0, heads = 0, conv = 4;

  void describe(auto& option) {
    option("state", state, "rows of the memory of each head",
           {.least = 1, .tensor = "expand.weight"});
    option("inner", inner, "channels of all heads; 0 = twice the width",
           {.tensor = "input.weight"});
    option("heads", heads, "heads; 0 = inner / 64, at least 1", {.tensor = "skip"});
    option("conv", conv, "taps of the convolutions, then silu",
           {.least = 1, .tensor = "input_conv.weight", .axis = 1});
    describe_layers(option);  // the last projection begins by their root smaller
  }

  EosParts parts(std::int64_t d) const;
  lcsm::Parameters tensors(std::int64_t d) const;
};

}  // namespace runner
