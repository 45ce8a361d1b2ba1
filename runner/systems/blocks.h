// The blocks of named systems that stand on no filter: options and tensors, a row each, as those of
// ets/families. Their equations are in blocks/.
#pragma once

#include <span>
#include <string_view>

#include "ets/families/family.h"

namespace runner {

std::span<const ets::FamilyRow* const> own_block_rows();

// Of ours and of ets/; null if there is none of that name.
const ets::FamilyRow* block_named(std::string_view name);

// ----- The rows, each in a file of its name -----

extern const ets::FamilyRow kBaseConv;
// A code with parts around it (eos_rows.h).
extern const ets::FamilyRow kEos, kTnl, kGla, kLrpe, kGateLoop, kDur, kGfw, kDeltaNet, kGatedDelta,
    kMamba2;

}  // namespace runner
