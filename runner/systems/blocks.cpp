#include "runner/systems/blocks.h"

#include <array>

namespace runner {

std::span<const ets::FamilyRow* const> own_block_rows() {
  static constexpr std::array kRows = {
      &kBaseConv,  &kTransformer, &kMlp,       &kGlu,           &kLinearTransformer,
      &kPerformer, &kLuna,        &kLinformer, &kFlash,         &kGmlp,
      &kGfnet,     &kBigbird,     &kReformer,  &kTransformerLs, &kMamba,
      &kRwkv4,     &kRwkv4Feed,   &kHgrn,      &kRetnet,        &kCosformer,
      &kBased,     &kEos,         &kTnl,       &kGla,           &kLrpe,
      &kGateLoop,  &kDur,         &kGfw,       &kDeltaNet,      &kGatedDelta,
      &kMamba2};
  return kRows;
}

const ets::FamilyRow* block_named(std::string_view name) {
  for (const ets::FamilyRow* row : own_block_rows())
    if (row->name == name) return row;
  return ets::family_named(name);
}

bool sees_later_steps(const ets::Variant& v) {
  return v.family == &kLinformer || v.family == &kGfnet || ets::is_two_sided(v);
}

}  // namespace runner
