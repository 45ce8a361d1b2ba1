#include "runner/systems/decayed_attention.h"

namespace runner {

EosParts Tnl::parts(std::int64_t d) const {
  const double rest = 1 - static_cast<double>(layer) / static_cast<double>(layers);
  EosParts parts = coded({.oscillation = {.name = "tnl", .o = "exp(-abs(w))"},
                          .k = static_cast<int>(size_or(k, d)),
                          .d = static_cast<int>(d),
                          .a = 4},
                         d, heads);
  parts.variant.code.frozen = true;
  parts.of_heads =
      lcsm::parse_formula("index_k * " + lcsm::number_text(8 * rest / static_cast<double>(heads)),
                          lcsm::FormulaUse::kInit);
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = OutputGate::kIdentity;
  return parts;
}

EosParts Gla::parts(std::int64_t d) const {
  const std::string inner = std::to_string(rank);
  EosParts parts = coded({.oscillation = {.name = "gla",
                                          .o = "sigmoid(p_k)^(1/" + lcsm::number_text(tau) + ")",
                                          .ranks = {{"p_k", inner}}},
                          .k = static_cast<int>(size_or(k, d / 2)),
                          .d = static_cast<int>(d)},
                         d, heads);
  parts.biases["oscillation.p_k.up"] =
      lcsm::parse_formula("uniform/sqrt(" + inner + ")", lcsm::FormulaUse::kInit);
  parts.scaled = true;
  parts.norm = OutputNorm::kHeadRms;
  parts.gate = OutputGate::kSilu;
  return parts;
}

EosParts Lrpe::parts(std::int64_t d) const {
  EosParts parts =
      coded({.oscillation = {.name = "lrpe",
                             .o = "rotate(w_k)",
                             .inits = {{"w_k", "exp(-2 * log(10000) * index_k / size_k)"}}},
             .k = static_cast<int>(size_or(k, d)),
             .d = static_cast<int>(d),
             .a = 3},
            d, heads);
  parts.norm = output_norm_of(norm.text());
  return parts;
}

}  // namespace runner
