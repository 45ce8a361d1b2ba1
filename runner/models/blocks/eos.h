// The forward pass of a code's layer with parts around it (systems/eos_parts.h).
#pragma once

#include <memory>

#include "lcsm/layer/block.h"
#include "runner/systems/eos_parts.h"

namespace runner {

struct CompiledEos;

// Compiled once; copies share it.
class EosLayer {
 public:
  explicit EosLayer(EosParts parts);

  // weights and x have one dtype, except under autocast. The state: "memory" [B, heads, rows, d /
  // heads], "log_sum", and the inputs of the convolutions.
  lcsm::BlockResult operator()(const lcsm::Weights& weights, const at::Tensor& x,
                               const lcsm::BlockContext& context) const;

 private:
  std::shared_ptr<const CompiledEos> compiled_;
};

}  // namespace runner
