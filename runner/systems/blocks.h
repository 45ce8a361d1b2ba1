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

// Whether an output depends on later inputs: by the option `bidirectional`, or always.
bool is_two_sided(const ets::Variant& variant);

// ----- The rows, each in a file of its name -----

extern const ets::FamilyRow kBaseConv;
extern const ets::FamilyRow kTransformer, kMlp, kGlu, kLinearTransformer, kPerformer, kLuna,
    kLinformer, kFlash, kGmlp, kGfnet, kBigbird, kReformer, kTransformerLs;

}  // namespace runner
