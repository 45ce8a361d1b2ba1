// The forward pass of any block: its inputs and outputs, weights and state.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "lcsm/block/block.h"
#include "lcsm/layer/layer.h"

namespace lcsm {

// The state carried from step to step, by name; empty: the sequence starts here.
using BlockState = std::map<std::string, at::Tensor>;

// Inputs of a block besides its weights and its input.
struct BlockContext {
  at::Tensor padding = {};   // [B, T] of bool: true where there is padding; undefined: none
  BlockState state = {};     // after the previous step; empty: the sequence starts
  bool wants_state = false;  // asks for the state after the last step, even from a slower machine
  Backend backend = Backend::kMachine;
  // [B, T, D]: the residual to which the output is added, for a block that gates it; undefined: x
  at::Tensor residual = {};
  // Dropout at the places inside the block that its authors name; empty: none.
  std::function<at::Tensor(const at::Tensor& x)> drop = {};
  // Dropout at a rate that an option of the block sets; empty: none.
  std::function<at::Tensor(const at::Tensor& x, double share)> drop_share = {};
  GpuOrCpu gpu = {};

  On on() const { return {backend, gpu}; }
};

inline at::Tensor dropped(const BlockContext& context, const at::Tensor& x) {
  return context.drop ? context.drop(x) : x;
}
inline at::Tensor dropped(const BlockContext& context, const at::Tensor& x, double share) {
  return share > 0 && context.drop_share ? context.drop_share(x, share) : x;
}

struct BlockResult {
  at::Tensor output;  // [B, T, D]
  BlockState state;   // after the last step; empty where there is none
};

// All tensors of the block; each requires a gradient.
Weights initial_weights(const Block& block, std::uint64_t seed, const at::TensorOptions& options);

// Throws std::invalid_argument if a weight is missing, unknown, of another shape or dtype.
// `kernel_only`: weights around the filter are not expected.
void check_weights(const Block& block, const Weights& weights, at::ScalarType dtype,
                   bool kernel_only = false);

// Converts a code's state to tensors by name, and back.
BlockState by_name(const State& state);
State state_of_code(const BlockState& state);

// Throws std::invalid_argument for a name in `state` that is not in `carried`.
void refuse_unknown_state(const BlockState& state, const BlockState& carried);

}  // namespace lcsm
