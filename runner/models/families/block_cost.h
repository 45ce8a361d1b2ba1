// Decides which machine computes a block, and estimates the cost.
#pragma once

#include <cstdint>
#include <string>

#include "lcsm/block/block.h"

namespace runner {

// The forward cost of one token among T; a fused multiply-add is two FLOP.
struct BlockCost {
  std::string machine;  // "chunked matrix products"
  double flops = 0;     // the block's matrices, and the operations over steps
  // Numbers in the block's state, carried from one step to the next; for attention, the keys and
  // values of T steps. 0 if a block sees later steps.
  double state = 0;
};
BlockCost cost_of(const lcsm::Block& block, std::int64_t T);

}  // namespace runner
