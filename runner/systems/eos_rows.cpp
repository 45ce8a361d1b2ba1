#include "runner/systems/eos_rows.h"

#include <array>
#include <stdexcept>

#include "lcsm/code/code.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kEosRows = {
    EosRow{&kEos, eos_parts},
    EosRow{&kTnl, tnl_parts},
    EosRow{&kGla, gla_parts},
    EosRow{&kLrpe, lrpe_parts},
    EosRow{&kGateLoop, gateloop_parts},
    EosRow{&kDur, dur_parts},
    EosRow{&kGfw, gfw_parts},
    EosRow{&kDeltaNet, delta_net_parts},
    EosRow{&kGatedDelta, gated_delta_parts},
    EosRow{&kMamba2, mamba_2_parts},
};

EosParts around(const lcsm::Variant& variant, std::int64_t d, std::int64_t heads) {
  EosParts parts;
  parts.variant = variant;
  parts.d = d;
  parts.heads = static_cast<int>(heads);
  return parts;
}

}  // namespace

const EosRow* eos_row(const lcsm::BlockRow& row) {
  for (const EosRow& each : kEosRows)
    if (each.row == &row) return &each;
  return nullptr;
}

EosParts parts_of(const lcsm::Block& v) {
  const EosRow* const row = eos_row(*v.row);
  if (row == nullptr)
    throw std::logic_error(std::string(v.row->name) + " is no code with parts around it");
  return row->parts(v);
}

lcsm::Parameters eos_tensors(const lcsm::Block& v) { return block_tensors(parts_of(v)); }

void check_eos(const lcsm::Block& v) {
  try {
    check_parts(parts_of(v));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string(v.row->name) + ": " + error.what());
  }
}

EosParts coded(const EosText& text, std::int64_t d, std::int64_t heads) {
  lcsm::Variant v;
  v.oscillation = lcsm::make_oscillation(text.oscillation);
  v.code.o = v.oscillation.name;
  v.code.a = text.a;
  v.gate = lcsm::gate_of(v.o());
  v.sizes = {text.d, text.k};
  return around(v, d, heads);
}

EosParts coded(std::string_view code, std::int64_t k, std::int64_t inner, std::int64_t d,
               std::int64_t heads) {
  static const lcsm::Catalogue catalogue;
  return around(lcsm::make_variant(lcsm::parse_code(code, catalogue), catalogue,
                                   {static_cast<int>(inner), static_cast<int>(k)}),
                d, heads);
}

std::int64_t size_or(const lcsm::Block& v, std::string_view option, std::int64_t rule) {
  const std::int64_t given = v.options.integer(option);
  return given > 0 ? given : rule;
}

}  // namespace runner
