// The delta rule with short convolutions: DeltaNet, gated DeltaNet.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

// S = (I - beta k k^T) S + beta k v^T, beta = sigmoid(p)
struct DeltaNet : CodeBlock<DeltaNet> {
  static constexpr std::string_view
      kName = "delta-net",
      kHelp = "the delta rule in heads, with short convolutions (DeltaNet)";

  std::int64_t heads = 4, k = 0, conv = 4;
  StageNormWord qk_norm = "l2";
  OutputGateWord output_gate = "none";

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    option("conv", conv, "taps of the convolutions of q, k and v, then silu; 0 = none",
           {.tensor = "input_conv.weight", .axis = 1});
    option("qk_norm", qk_norm, "norm of queries and keys");
    option("output_gate", output_gate, "activation of the output gate");
  }

  EosParts parts(std::int64_t d) const;
};

// S = alpha (I - beta k k^T) S + beta k v^T, alpha = exp(-exp(log_rate) softplus(W x + b))
struct GatedDelta : CodeBlock<GatedDelta> {
  static constexpr std::string_view
      kName = "gated-delta",
      kHelp = "the delta rule with a data-dependent decay (Gated DeltaNet)";

  std::int64_t heads = 4, k = 0, v = 0, conv = 4;
  StageNormWord qk_norm = "l2";
  OutputGateWord output_gate = "silu";

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    option("v", v, "values of all heads; 0 = twice the width", {.tensor = "input.weight"});
    option("conv", conv, "taps of the convolutions of q, k and v, then silu; 0 = none",
           {.tensor = "input_conv.weight", .axis = 1});
    option("qk_norm", qk_norm, "norm of queries and keys");
    option("output_gate", output_gate, "activation of the output gate");
  }

  EosParts parts(std::int64_t d) const;
};

}  // namespace runner
