// The layer of any built-in code with parts around it.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

struct Eos : CodeBlock<Eos> {
  static constexpr std::string_view
      kName = "eos",
      kHelp = "the layer of a code, with heads, convolutions, norms and gates";

  std::string code = "1-3-1-0";
  std::int64_t k = 16, heads = 1, conv = 0;
  StageNormWord qk_norm = "none";
  OutputNormWord head_norm = "none";
  OutputGateWord output_gate = "none";
  bool bonus = false, scale = false;

  void describe(auto& option) {
    option("code", code, "e-o-s-a");
    option("k", k, "rows of e and s, all heads together", {.least = 1, .tensor = "expand.weight"});
    option("heads", heads, "heads that k and d are split into", {.least = 1});
    option("conv", conv, "taps of a convolution of i, e and s, then silu; 0 = none",
           {.tensor = "input_conv.weight", .axis = 1});
    option("qk_norm", qk_norm, "norm of e and s, per head");
    option("head_norm", head_norm, "norm per head; none: a LayerNorm over d");
    option("output_gate", output_gate, "activation of the output gate");
    option("bonus", bonus, "a weight for the current token, s_t . (u e_t) i_t");
    option("scale", scale, "s / sqrt(k / heads)");
  }

  EosParts parts(std::int64_t d) const;
};

}  // namespace runner
