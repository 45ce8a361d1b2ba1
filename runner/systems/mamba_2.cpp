// Mamba-2: a state space with one decay for each head, e and s shared by the heads.
#include <array>

#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

constexpr std::array kMamba2Options = {
    lcsm::integer("state", "128", 1, "rows of the memory of each head", "expand.weight", 0),
    lcsm::integer("inner", "0", 0, "channels of all heads; 0 = twice the width", "input.weight", 0),
    lcsm::integer("heads", "0", 0, "heads; 0 = inner / 64, at least 1", "skip", 0),
    lcsm::integer("conv", "4", 1, "taps of the convolutions, then silu", "input_conv.weight", 1),
    lcsm::kLayers,  // the last projection begins by their root smaller
};

lcsm::Parameters tensors_of_mamba_2(const lcsm::Block& v) {
  lcsm::Parameters tensors = eos_tensors(v);
  start_residual(v, &tensors);
  return tensors;
}

}  // namespace

// dt = softplus(W x + b), m = exp(-exp(w) dt) m + dt B x^T, y = C m + D x,
// out = W rms(y silu(W_z x)).
EosParts mamba_2_parts(const lcsm::Block& v) {
  const std::int64_t inner = size_or(v, "inner", 2 * v.d);
  const std::int64_t heads = size_or(v, "heads", std::max<std::int64_t>(1, inner / 64));
  EosParts parts = coded({.oscillation = {.name = "mamba_2",
                                          .o = "exp(-exp(w) * softplus(p))",
                                          .scale = "softplus(p)",
                                          .inits = {{"w", "log(8.5 + 7.5 * uniform)"}}},
                          .k = static_cast<int>(v.options.integer("state")),
                          .d = static_cast<int>(inner)},
                         v.d, heads);
  const auto init = [](const char* formula) {
    return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
  };
  // softplus(b) is log-uniform from 0.001 to 0.1
  parts.biases["oscillation.p"] =
      init("log(exp(exp(log(0.001) + 0.5 * log(100) * (1 + uniform))) - 1)");
  parts.shares_stages = true;
  parts.taps = v.options.integer("conv");
  for (const char* conv : {"input_conv", "expand_conv", "shrink_conv"})
    parts.biases[conv] = lcsm::parse_formula("uniform/sqrt(" + v.options.text("conv") + ")",
                                             lcsm::FormulaUse::kInit);
  parts.skip = true;
  parts.norm = OutputNorm::kRms;
  parts.gate = OutputGate::kSilu;
  parts.gates_first = true;
  return parts;
}

const lcsm::BlockRow kMamba2 = {"mamba-2",
                                "a state space with a data-dependent decay per head (Mamba-2)",
                                lcsm::Lag::kCausalOnly,
                                kMamba2Options,
                                tensors_of_mamba_2,
                                check_eos};

}  // namespace runner
