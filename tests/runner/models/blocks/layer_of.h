// A block by its name and settings, for tests.
#pragma once

#include "tests/runner/models/blocks/block_cases.h"

namespace runner {

struct BlockLayer {
  lcsm::Block variant;
  lcsm::Weights weights;

  at::Tensor operator()(const at::Tensor& x, const lcsm::BlockContext& context = {}) const {
    return block_forward(variant, weights, x, context).output;
  }
};

inline BlockLayer layer_of(const std::string& block, const std::vector<std::string>& settings,
                           std::int64_t d = 8) {
  const lcsm::Block variant = BlockCase{block, settings, d}.variant();
  return {variant, lcsm::initial_weights(variant, 3, at::kDouble)};
}

}  // namespace runner
