#include "runner/systems/mamba_2.h"

#include <algorithm>

#include "runner/systems/mamba.h"

namespace runner {

lcsm::Parameters Mamba2::tensors(std::int64_t d) const {
  lcsm::Parameters all = block_tensors(parts(d));
  start_residual(layers, &all);
  return all;
}

EosParts Mamba2::parts(std::int64_t d) const {
  const std::int64_t all = size_or(inner, 2 * d);
  EosParts parts = coded({.oscillation = {.name = "mamba_2",
                                          .o = "exp(-exp(w) * softplus(p))",
                                          .scale = "softplus(p)",
                                          .inits = {{"w", "log(8.5 + 7.5 * uniform)"}}},
                          .k = static_cast<int>(state),
                          .d = static_cast<int>(all)},
                         d, size_or(heads, std::max<std::int64_t>(1, all / 64)));
  const auto init = [](const std::string& formula) {
    return lcsm::parse_formula(formula, lcsm::FormulaUse::kInit);
  };
  // softplus(b) is log-uniform from 0.001 to 0.1
  parts.biases["oscillation.p"] =
      init("log(exp(exp(log(0.001) + 0.5 * log(100) * (1 + uniform))) - 1)");
  parts.shares_stages = true;
  parts.taps = conv;
  for (const char* name : {"input_conv", "expand_conv", "shrink_conv"})
    parts.biases[name] = init("uniform/sqrt(" + std::to_string(conv) + ")");
  parts.skip = true;
  parts.norm = OutputNorm::kRms;
  parts.gate = OutputGate::kSilu;
  parts.gates_first = true;
  return parts;
}

}  // namespace runner
