#include "runner/systems/delta_rules.h"

namespace runner {
namespace {

EosParts delta(const auto& block, std::int64_t values, std::int64_t d) {
  EosParts parts = coded("fwp", size_or(block.k, d), values, d, block.heads);
  parts.taps = block.conv;
  parts.stage_norm = stage_norm_of(block.qk_norm.text());
  parts.scaled = true;
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = output_gate_of(block.output_gate.text());
  return parts;
}

}  // namespace

EosParts DeltaNet::parts(std::int64_t d) const { return delta(*this, d, d); }

EosParts GatedDelta::parts(std::int64_t d) const {
  EosParts parts = delta(*this, size_or(v, 2 * d), d);
  parts.decays = true;
  // softplus(b) is log-uniform from 0.001 to 0.1
  parts.biases["decay"] = lcsm::parse_formula(
      "log(exp(exp(log(0.001) + 0.5 * log(100) * (1 + uniform))) - 1)", lcsm::FormulaUse::kInit);
  return parts;
}

}  // namespace runner
