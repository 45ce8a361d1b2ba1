// The layer of any built-in code with parts around it.
#include <array>

#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

constexpr std::array kEosOptions = {
    lcsm::text("code", "1-3-1-0", "e-o-s-a"),
    lcsm::integer("k", "16", 1, "rows of e and s, all heads together", "expand.weight", 0),
    lcsm::integer("heads", "1", 1, "heads that k and d are split into"),
    lcsm::integer("conv", "0", 0, "taps of a convolution of i, e and s, then silu; 0 = none",
                  "input_conv.weight", 1),
    lcsm::word("qk_norm", kStageNormWords, "none", "norm of e and s, per head"),
    lcsm::word("head_norm", kOutputNormWords, "none", "norm per head; none: a LayerNorm over d"),
    lcsm::word("output_gate", kOutputGateWords, "none", "activation of the output gate"),
    lcsm::flag("bonus", false, "a weight for the current token, s_t . (u e_t) i_t"),
    lcsm::flag("scale", false, "s / sqrt(k / heads)"),
};

}  // namespace

EosParts eos_parts(const lcsm::Block& v) {
  const lcsm::Options& o = v.options;
  EosParts parts = coded(o.text("code"), o.integer("k"), v.d, v.d, o.integer("heads"));
  if (parts.variant.sizes.d != v.d)
    throw std::invalid_argument("eos: the code says d=" + std::to_string(parts.variant.sizes.d) +
                                ", the input has " + std::to_string(v.d) + " channels");
  parts.taps = o.integer("conv");
  parts.stage_norm = stage_norm_of(o.text("qk_norm"));
  parts.norm = output_norm_of(o.text("head_norm"));
  parts.gate = output_gate_of(o.text("output_gate"));
  parts.bonus = o.flag("bonus");
  parts.scaled = o.flag("scale");
  return parts;
}

const lcsm::BlockRow kEos = {"eos",
                             "the layer of a code, with heads, convolutions, norms and gates",
                             lcsm::Lag::kCausalOnly,
                             kEosOptions,
                             eos_tensors,
                             check_eos};

}  // namespace runner
