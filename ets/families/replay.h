// State memory replay (S4+): a gate on a filter's inputs, computed from the last inputs by a short
// convolution. Every family with one filter has these options.
#pragma once

#include <array>

#include "lcsm/block/block_tensors.h"

namespace ets {

inline constexpr lcsm::OptionRow kReplay =
    lcsm::word("replay", "none depthwise full scalar", "none",
               "the gate of S4+ on the inputs, a short convolution: per channel, from all to all, "
               "or one for all");
inline constexpr lcsm::OptionRow kReplayTaps = {.name = "replay_taps",
                                                .help = "inputs that the gate sees",
                                                .kind = lcsm::OptionKind::kInteger,
                                                .preset = "4",
                                                .least = 1,
                                                .most = 1 << 30,
                                                .needs = "replay!=none",
                                                .tensor = "replay.weight",
                                                .axis = 0};
inline constexpr lcsm::OptionRow kReplayBias =
    lcsm::flag("replay_bias", true, "a learned bias of the gate", "replay!=none");
inline constexpr lcsm::OptionRow kReplayPad =
    lcsm::word("replay_pad", "replicate zero", "replicate",
               "before the first input: that input again, or zero", "replay!=none");
inline constexpr std::array kReplayOptions = {kReplay, kReplayTaps, kReplayBias, kReplayPad};

bool has_replay(const lcsm::Block& variant);

// replay.weight, [taps, D], [taps, D, D] or [taps]; replay.bias [D] or [1].
void put_replay(const lcsm::Block& variant, lcsm::BlockTensors* tensors);

}  // namespace ets
