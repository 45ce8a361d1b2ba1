#include "runner/systems/eos.h"

#include <stdexcept>

namespace runner {

EosParts Eos::parts(std::int64_t d) const {
  EosParts parts = coded(code, k, d, d, heads);
  if (parts.variant.sizes.d != d)
    throw std::invalid_argument("eos: the code says d=" + std::to_string(parts.variant.sizes.d) +
                                ", the input has " + std::to_string(d) + " channels");
  parts.taps = conv;
  parts.stage_norm = stage_norm_of(qk_norm.text());
  parts.norm = output_norm_of(head_norm.text());
  parts.gate = output_gate_of(output_gate.text());
  parts.bonus = bonus;
  parts.scaled = scale;
  return parts;
}

}  // namespace runner
