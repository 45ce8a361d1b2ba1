// The blocks of named systems that are not filters: options and tensors, one row each, like the
// families of ets/. Their equations are in models/blocks/.
#pragma once

#include <span>
#include <string_view>

#include "lcsm/block/block.h"

namespace runner {

std::span<const lcsm::BlockRow* const> own_block_rows();

// Finds a block here or in ets/; null if there is none of that name.
const lcsm::BlockRow* block_named(std::string_view name);

// True if an output depends on later inputs, by an option or always.
bool sees_later_steps(const lcsm::Block& variant);

// std::invalid_argument where a sequence of T steps is too long for the block.
void check_steps(const lcsm::Block& variant, std::int64_t T);

// ----- Sizes by the authors' rules -----
struct MambaSizes {
  std::int64_t channels = 0, state = 0, rank = 0, groups = 0;
};
MambaSizes mamba_sizes(const lcsm::Block& v);
// The first value of output.weight, divided by the root of the model's layers.
void start_residual(const lcsm::Block& v, lcsm::Parameters* tensors);
std::int64_t retnet_values(const lcsm::Block& v);

// ----- The rows, each in a file of its name -----

extern const lcsm::BlockRow kBaseConv, kTransformer, kMlp, kGlu, kLinearTransformer, kPerformer,
    kLuna, kLinformer, kFlash, kGmlp, kGfnet, kBigbird, kReformer, kTransformerLs, kMamba, kRwkv4,
    kRwkv4Feed, kHgrn, kRetnet, kCosformer, kBased;
// A code with parts around it (eos_rows.h).
extern const lcsm::BlockRow kEos, kTnl, kGla, kLrpe, kGateLoop, kDur, kGfw, kDeltaNet, kGatedDelta,
    kMamba2;

}  // namespace runner
