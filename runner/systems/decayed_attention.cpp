#include "runner/systems/decayed_attention.h"

namespace runner {
namespace {

EosParts rank_one(std::string_view activation, const RankOneOptions& o, std::int64_t d) {
  return coded("1-1-1-" + std::string(activation) + "@tau=" + lcsm::number_text(o.tau),
               size_or(o.k, d), d, d, o.heads);
}

}  // namespace

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

EosParts GateLoop::parts(std::int64_t d) const {
  EosParts parts = coded({.oscillation = {.name = "gateloop", .o = "sigmoid(p_k) * rotate(p_k2)"},
                          .k = static_cast<int>(size_or(k, d)),
                          .d = static_cast<int>(d)},
                         d, heads);
  parts.gate = output_gate_of(output_gate.text());
  return parts;
}

EosParts Dur::parts(std::int64_t d) const { return rank_one("0", *this, d); }
EosParts Gfw::parts(std::int64_t d) const { return rank_one("3", *this, d); }

}  // namespace runner
