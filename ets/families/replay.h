// State memory replay (S4+): a gate on a filter's inputs, computed from the last inputs by a short
// convolution. Every family with one filter has these options.
#pragma once

#include "ets/families/family_types.h"
#include "lcsm/block/block.h"
#include "lcsm/block/block_tensors.h"

namespace ets {

struct ReplayOptions {
  lcsm::Word<"none depthwise full scalar"> replay = "none";
  std::int64_t replay_taps = 4;
  bool replay_bias = true;
  lcsm::Word<"replicate zero"> replay_pad = "replicate";

  // `tensor`: the tensor whose first axis has the taps.
  void describe_replay(auto& option, std::string_view tensor = "replay.weight") {
    option("replay", replay,
           "the gate of S4+ on the inputs, a short convolution: per channel, from all to all, "
           "or one for all");
    option("replay_taps", replay_taps, "inputs that the gate sees",
           {.least = 1, .needs = "replay!=none", .tensor = tensor});
    option("replay_bias", replay_bias, "a learned bias of the gate", {.needs = "replay!=none"});
    option("replay_pad", replay_pad, "before the first input: that input again, or zero",
           {.needs = "replay!=none"});
  }

  bool replays() const { return replay != "none"; }

  // Adds replay.weight, [taps, D], [taps, D, D] or [taps], and replay.bias, [D] or [1].
  void put_replay(std::int64_t d, lcsm::BlockTensors* tensors) const;
  // The cost of the gate, besides the filter's.
  lcsm::Mixing with_replay(std::int64_t d, lcsm::Mixing mixing) const;
};

}  // namespace ets
