// Mamba-2: a state space with one decay for each head, e and s shared by the heads.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

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
