// Blocks that consist of a code and parts around it.
#pragma once

#include "runner/systems/eos_parts.h"

namespace runner {

struct EosRow {
  const ets::FamilyRow* row;
  EosParts (*parts)(const ets::Variant&);
};

// Null if the block is of another kind.
const EosRow* eos_row(const ets::FamilyRow& row);
EosParts parts_of(const ets::Variant& variant);

// Functions shared by all rows.
ets::Parameters eos_tensors(const ets::Variant& variant);
void check_eos(const ets::Variant& variant);

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
inline constexpr ets::OptionRow kKey =
    ets::integer("k", "0", 0, "queries and keys of all heads; 0 = the width", "expand.weight", 0);

// The value of a size option, 0 = by the rule.
std::int64_t size_or(const ets::Variant& variant, std::string_view option, std::int64_t rule);

// ----- The parts of each, in a file of its kind -----

EosParts eos_parts(const ets::Variant& v);
EosParts tnl_parts(const ets::Variant& v);
EosParts gla_parts(const ets::Variant& v);
EosParts lrpe_parts(const ets::Variant& v);
EosParts gateloop_parts(const ets::Variant& v);
EosParts dur_parts(const ets::Variant& v);
EosParts gfw_parts(const ets::Variant& v);
EosParts delta_net_parts(const ets::Variant& v);
EosParts gated_delta_parts(const ets::Variant& v);
EosParts mamba_2_parts(const ets::Variant& v);

}  // namespace runner
