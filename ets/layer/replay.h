// State memory replay: the filter's input is x_t sigmoid(sum over j < taps of K_j x_(t-j) + b).
#pragma once

#include "ets/families/replay.h"
#include "ets/layer/layer.h"

namespace ets {

// The gated inputs, and as state "replay" the last inputs, [B, taps - 1, D], before the next step.
// Without "replay" in `state`, the sequence starts here.
struct Replayed {
  at::Tensor x;
  lcsm::BlockState state;
};
Replayed replayed(const ReplayOptions& options, const lcsm::Weights& weights, const at::Tensor& x,
                  const lcsm::BlockState& state);

}  // namespace ets
