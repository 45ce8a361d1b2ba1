// A block by its name and settings, for tests.
#pragma once

#include "tests/runner/models/blocks/block_cases.h"

namespace runner {

struct BlockLayer {
  ets::Variant variant;
  ets::Weights weights;

  at::Tensor operator()(const at::Tensor& x, const ets::Context& context = {}) const {
    return block_forward(variant, weights, x, context).output;
  }
};

inline BlockLayer layer_of(const std::string& block, const std::vector<std::string>& settings,
                           std::int64_t d = 8) {
  const ets::Variant variant = BlockCase{block, settings, d}.variant();
  return {variant, ets::initial_weights(variant, 3, at::kDouble)};
}

}  // namespace runner
