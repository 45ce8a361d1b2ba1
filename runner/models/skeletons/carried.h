// The state that layers carry from one piece of a text to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lcsm/layer/block.h"

namespace runner {

// The states of each layer's mixer, [B, ...], without gradients; for texts that are read in pieces
// (Inputs::begin), followed by the states of each feed-forward. Empty: the texts begin.
using Carried = std::vector<lcsm::BlockState>;

// True if each mixer has a state of the piece before, so that a text can continue.
bool can_go_on(const Carried& carried);

// The rows first .. first + count - 1 of a batch.
Carried rows_of(const Carried& all, std::int64_t first, std::int64_t count);
// Concatenates the parts of a batch; all parts must have equal layers and states.
Carried joined(const std::vector<Carried>& parts);

// Named as in a checkpoint: "carried.3.memory". Ignores other names.
std::map<std::string, at::Tensor> tensors_of(const Carried& carried);
Carried carried_in(const std::map<std::string, at::Tensor>& tensors, at::Device device);

}  // namespace runner
