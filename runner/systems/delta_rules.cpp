// The delta rule with short convolutions: DeltaNet, gated DeltaNet.
#include <array>

#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

constexpr lcsm::OptionRow kDeltaRulesHeads = lcsm::integer("heads", "4", 1, "heads");
constexpr lcsm::OptionRow kConv =
    lcsm::integer("conv", "4", 0, "taps of the convolutions of q, k and v, then silu; 0 = none",
                  "input_conv.weight", 1);
constexpr lcsm::OptionRow kNorm =
    lcsm::word("qk_norm", kStageNormWords, "l2", "norm of queries and keys");

constexpr std::array kDeltaNetOptions = {
    kDeltaRulesHeads, kKey, kConv, kNorm,
    lcsm::word("output_gate", kOutputGateWords, "none", "activation of the output gate")};
constexpr std::array kGatedDeltaOptions = {
    kDeltaRulesHeads,
    kKey,
    lcsm::integer("v", "0", 0, "values of all heads; 0 = twice the width", "input.weight", 0),
    kConv,
    kNorm,
    lcsm::word("output_gate", kOutputGateWords, "silu", "activation of the output gate")};

EosParts delta(const lcsm::Block& v, std::int64_t values) {
  EosParts parts = coded("fwp", size_or(v, "k", v.d), values, v.d, v.options.integer("heads"));
  parts.taps = v.options.integer("conv");
  parts.stage_norm = stage_norm_of(v.options.text("qk_norm"));
  parts.scaled = true;
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = output_gate_of(v.options.text("output_gate"));
  return parts;
}

}  // namespace

// S = (I - beta k k^T) S + beta k v^T, beta = sigmoid(p)
EosParts delta_net_parts(const lcsm::Block& v) { return delta(v, v.d); }

// S = alpha (I - beta k k^T) S + beta k v^T, alpha = exp(-exp(log_rate) softplus(W x + b))
EosParts gated_delta_parts(const lcsm::Block& v) {
  EosParts parts = delta(v, size_or(v, "v", 2 * v.d));
  parts.decays = true;
  // softplus(b) is log-uniform from 0.001 to 0.1
  parts.biases["decay"] = lcsm::parse_formula(
      "log(exp(exp(log(0.001) + 0.5 * log(100) * (1 + uniform))) - 1)", lcsm::FormulaUse::kInit);
  return parts;
}

const lcsm::BlockRow kDeltaNet = {"delta-net",
                                  "the delta rule in heads, with short convolutions (DeltaNet)",
                                  lcsm::Lag::kCausalOnly,
                                  kDeltaNetOptions,
                                  eos_tensors,
                                  check_eos};
const lcsm::BlockRow kGatedDelta = {"gated-delta",
                                    "the delta rule with a data-dependent decay (Gated DeltaNet)",
                                    lcsm::Lag::kCausalOnly,
                                    kGatedDeltaOptions,
                                    eos_tensors,
                                    check_eos};

}  // namespace runner
