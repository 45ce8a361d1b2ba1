// Linear attention with decay or rotation: TransNormerLLM, GLA, LRPE.
#include <array>
#include <cmath>

#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

constexpr lcsm::OptionRow kHeads8 = lcsm::integer("heads", "8", 1, "heads");

constexpr std::array kTnlOptions = {
    kHeads8,
    kKey,
    lcsm::kLayer,  // deeper ones decay less
    lcsm::kLayers,
};
constexpr std::array kGlaOptions = {
    lcsm::integer("heads", "4", 1, "heads"),
    lcsm::integer("k", "0", 0, "queries and keys of all heads; 0 = half the width", "expand.weight",
                  0),
    lcsm::integer("rank", "16", 1, "inner size of the gate's projection",
                  "oscillation.p_k.down.weight", 0),
    lcsm::number("tau", "16", 1e-3, 1e6, "the gate is sigmoid(p)^(1/tau)"),
};
constexpr std::array kLrpeOptions = {
    kHeads8, kKey,
    lcsm::word("norm", kOutputNormWords, "rms", "norm per head; none: a LayerNorm over the width")};

std::string exact(double value) { return lcsm::number_text(value); }

}  // namespace

// o = exp(-(8 h / H) (1 - l / L)), q and k after silu, out = W (norm(y) (W_u x)).
EosParts tnl_parts(const lcsm::Block& v) {
  const std::int64_t heads = v.options.integer("heads");
  const double rest = 1 - static_cast<double>(v.options.integer("layer")) /
                              static_cast<double>(v.options.integer("layers"));
  EosParts parts = coded({.oscillation = {.name = "tnl", .o = "exp(-abs(w))"},
                          .k = static_cast<int>(size_or(v, "k", v.d)),
                          .d = static_cast<int>(v.d),
                          .a = 4},
                         v.d, heads);
  parts.variant.code.frozen = true;
  parts.of_heads = lcsm::parse_formula("index_k * " + exact(8 * rest / static_cast<double>(heads)),
                                       lcsm::FormulaUse::kInit);
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = OutputGate::kIdentity;
  return parts;
}

// o_k = sigmoid(W_2 W_1 x + b)^(1/16), out = W (rms(y) silu(W_g x)), q / sqrt(width of a head).
EosParts gla_parts(const lcsm::Block& v) {
  const std::string tau = exact(v.options.number("tau"));
  EosParts parts = coded({.oscillation = {.name = "gla",
                                          .o = "sigmoid(p_k)^(1/" + tau + ")",
                                          .ranks = {{"p_k", v.options.text("rank")}}},
                          .k = static_cast<int>(size_or(v, "k", v.d / 2)),
                          .d = static_cast<int>(v.d)},
                         v.d, v.options.integer("heads"));
  parts.biases["oscillation.p_k.up"] =
      lcsm::parse_formula("uniform/sqrt(" + v.options.text("rank") + ")", lcsm::FormulaUse::kInit);
  parts.scaled = true;
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = OutputGate::kSilu;
  return parts;
}

// o = exp(i theta), theta learned, so that e and s become [e cos(t theta), e sin(t theta)].
EosParts lrpe_parts(const lcsm::Block& v) {
  EosParts parts =
      coded({.oscillation = {.name = "lrpe",
                             .o = "rotate(w_k)",
                             .inits = {{"w_k", "exp(-2 * log(10000) * index_k / size_k)"}}},
             .k = static_cast<int>(size_or(v, "k", v.d)),
             .d = static_cast<int>(v.d),
             .a = 3},
            v.d, v.options.integer("heads"));
  parts.norm = output_norm_of(v.options.text("norm"));
  return parts;
}

const lcsm::BlockRow kTnl = {"tnl",
                             "linear attention with a fixed decay per head (TransNormerLLM)",
                             lcsm::Lag::kCausalOnly,
                             kTnlOptions,
                             eos_tensors,
                             check_eos};
const lcsm::BlockRow kGla = {"gla",
                             "gated linear attention, a data gate over the keys",
                             lcsm::Lag::kCausalOnly,
                             kGlaOptions,
                             eos_tensors,
                             check_eos};
const lcsm::BlockRow kLrpe = {"lrpe",
                              "linear attention, queries and keys rotated by learned angles",
                              lcsm::Lag::kCausalOnly,
                              kLrpeOptions,
                              eos_tensors,
                              check_eos};

}  // namespace runner
