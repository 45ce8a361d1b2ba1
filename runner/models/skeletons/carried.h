// The state that layers carry from one segment of a text to the next.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lcsm/layer/block.h"

namespace runner {

// Of each layer, [B, ...], without gradients; empty: the texts begin.
using Carried = std::vector<lcsm::BlockState>;

// The rows first .. first + count - 1 of a batch.
Carried rows_of(const Carried& all, std::int64_t first, std::int64_t count);
// The parts of a batch one after the other; all have the same layers and states.
Carried joined(const std::vector<Carried>& parts);

// As in a checkpoint: "carried.3.memory". Other names are left out.
std::map<std::string, at::Tensor> tensors_of(const Carried& carried);
Carried carried_in(const std::map<std::string, at::Tensor>& tensors, at::Device device);

}  // namespace runner
