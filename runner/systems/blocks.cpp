#include "runner/systems/blocks.h"

#include <array>

namespace runner {

std::span<const ets::FamilyRow* const> own_block_rows() {
  static constexpr std::array kRows = {&kBaseConv, &kEos,        &kTnl,   &kGla,
                                       &kLrpe,     &kGateLoop,   &kDur,   &kGfw,
                                       &kDeltaNet, &kGatedDelta, &kMamba2};
  return kRows;
}

const ets::FamilyRow* block_named(std::string_view name) {
  for (const ets::FamilyRow* row : own_block_rows())
    if (row->name == name) return row;
  return ets::family_named(name);
}

}  // namespace runner
