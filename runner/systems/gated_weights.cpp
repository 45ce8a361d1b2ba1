#include "runner/systems/gated_weights.h"

namespace runner {
namespace {

EosParts rank_one(std::string_view activation, const RankOneOptions& o, std::int64_t d) {
  return coded("1-1-1-" + std::string(activation) + "@tau=" + lcsm::number_text(o.tau),
               size_or(o.k, d), d, d, o.heads);
}

}  // namespace

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
