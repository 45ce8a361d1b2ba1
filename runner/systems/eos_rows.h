// Blocks that consist of a code and parts around it.
#pragma once

#include "runner/systems/eos_parts.h"

namespace runner {

struct EosRow {
  const lcsm::BlockRow* row;
  EosParts (*parts)(const lcsm::Block&);
};

// Null if the block is of another kind.
const EosRow* eos_row(const lcsm::BlockRow& row);
EosParts parts_of(const lcsm::Block& variant);

// Functions shared by all rows.
lcsm::Parameters eos_tensors(const lcsm::Block& variant);
void check_eos(const lcsm::Block& variant);

// A code around an oscillation written here: "o", "scale" and what else a TOML table has.
struct EosText {
  lcsm::OscillationText oscillation;
  int k = 0, d = 0;  // of all heads
  int a = 0;         // activation of e and s
};
EosParts coded(const EosText& text, std::int64_t d, std::int64_t heads);

// A built-in code, "1-3-1-0@tau=1".
EosParts coded(std::string_view code, std::int64_t k, std::int64_t inner, std::int64_t d,
               std::int64_t heads);

// An option of blocks whose queries and keys are by default as wide as the layer.
inline constexpr lcsm::OptionRow kKey =
    lcsm::integer("k", "0", 0, "queries and keys of all heads; 0 = the width", "expand.weight", 0);

// The value of a size option, 0 = by the rule.
std::int64_t size_or(const lcsm::Block& variant, std::string_view option, std::int64_t rule);

// ----- The parts of each, in a file of its kind -----

EosParts eos_parts(const lcsm::Block& v);
EosParts tnl_parts(const lcsm::Block& v);
EosParts gla_parts(const lcsm::Block& v);
EosParts lrpe_parts(const lcsm::Block& v);
EosParts gateloop_parts(const lcsm::Block& v);
EosParts dur_parts(const lcsm::Block& v);
EosParts gfw_parts(const lcsm::Block& v);
EosParts delta_net_parts(const lcsm::Block& v);
EosParts gated_delta_parts(const lcsm::Block& v);
EosParts mamba_2_parts(const lcsm::Block& v);

}  // namespace runner
