// The state that layers carry from one piece of a text to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lcsm/layer/block.h"

namespace runner {

// Of the mixer of each layer, [B, ...], without gradients; of texts that are read in pieces
// (Inputs::begin) then of each feed-forward. Empty: the texts begin.
using Carried = std::vector<lcsm::BlockState>;

// True if each mixer left a state of the piece before, so that a text can go on from there.
bool can_go_on(const Carried& carried);

// The rows first .. first + count - 1 of a batch.
Carried rows_of(const Carried& all, std::int64_t first, std::int64_t count);
// The parts of a batch one after the other; all have the same layers and states.
Carried joined(const std::vector<Carried>& parts);

// As in a checkpoint: "carried.3.memory". Other names are left out.
std::map<std::string, at::Tensor> tensors_of(const Carried& carried);
Carried carried_in(const std::map<std::string, at::Tensor>& tensors, at::Device device);

}  // namespace runner
