// State memory replay (S4+): a gate on a filter's inputs, computed from the last inputs by a short
// convolution. Every family with one filter has these options.
#pragma once

#include <array>

#include "ets/families/tensor_list.h"

namespace ets {

inline constexpr OptionRow kReplay =
    word("replay", "none depthwise full scalar", "none",
         "the gate of S4+ on the inputs, a short convolution: per channel, from all to all, "
         "or one for all");
inline constexpr OptionRow kReplayTaps = {.name = "replay_taps",
                                          .help = "inputs that the gate sees",
                                          .kind = OptionKind::kInteger,
                                          .preset = "4",
                                          .least = 1,
                                          .most = 1 << 30,
                                          .needs = "replay!=none",
                                          .tensor = "replay.weight",
                                          .axis = 0};
inline constexpr OptionRow kReplayBias =
    flag("replay_bias", true, "a learned bias of the gate", "replay!=none");
inline constexpr OptionRow kReplayPad =
    word("replay_pad", "replicate zero", "replicate",
         "before the first input: that input again, or zero", "replay!=none");
inline constexpr std::array kReplayOptions = {kReplay, kReplayTaps, kReplayBias, kReplayPad};

bool has_replay(const Variant& variant);

// replay.weight, [taps, D], [taps, D, D] or [taps]; replay.bias [D] or [1].
void put_replay(const Variant& variant, TensorList* tensors);

}  // namespace ets
