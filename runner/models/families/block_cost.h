// Decides which machine computes a block, and estimates the cost.
#pragma once

#include <cstdint>
#include <string>

#include "lcsm/block/block.h"

namespace runner {

// The forward cost of one token among T; a fused multiply-add is two FLOP.
struct BlockCost {
  std::string machine;  // "chunked matrix products"
  double flops = 0;     // the block's matrices, and what brings steps together
  // Numbers carried from one step to the next, as the block's state has them; of attention the keys
  // and values of T steps. Nothing where a block sees later steps.
  double state = 0;
};
BlockCost cost_of(const lcsm::Block& block, std::int64_t T);

}  // namespace runner
