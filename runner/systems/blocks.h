// The blocks of named systems that are not filters. Each is a struct with the members that
// lcsm/block/block.h describes; its forward pass is in models/blocks/.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "runner/systems/channel_mixers.h"
#include "runner/systems/decayed_attention.h"
#include "runner/systems/delta_rules.h"
#include "runner/systems/efficient_attention.h"
#include "runner/systems/eos.h"
#include "runner/systems/linear_attention.h"
#include "runner/systems/mamba.h"
#include "runner/systems/recurrences.h"
#include "runner/systems/token_mixers.h"
#include "runner/systems/transformer.h"
#include "runner/systems/transformer_xl.h"

namespace runner {

// Every block must be in this list. A block without a required member does not compile.
using Blocks =
    lcsm::BlockTypes<BaseConv, Transformer, Mlp, Glu, LinearTransformer, Performer, Luna, Linformer,
                     Flash, Gmlp, Gfnet, Bigbird, Reformer, TransformerLs, TransformerXl, Mamba,
                     Rwkv4, Rwkv4Feed, Hgrn, Retnet, Cosformer, Based, Eos, Tnl, Gla, Lrpe,
                     GateLoop, Dur, Gfw, DeltaNet, GatedDelta, Mamba2>;

std::span<const lcsm::BlockRow* const> own_block_rows();

// The blocks of ets/, then those here.
std::vector<const lcsm::BlockRow*> all_blocks();

// One of them; null for an unknown name.
const lcsm::BlockRow* block_named(std::string_view name);

// The code of a block and the parts around it; nullopt if the block is not a code.
std::optional<EosParts> parts_of(const lcsm::Block& block);

// Throws std::invalid_argument if a sequence of T steps is too long for the block.
void check_steps(const lcsm::Block& block, std::int64_t T);

}  // namespace runner
