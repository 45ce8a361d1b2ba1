// The seed, and the keys of device, logging and checkpoints.
#pragma once

#include <array>

#include "runner/config/keys/key_rows.h"

namespace runner {
namespace key_rows {

// FBGEMM's sort, behind index_select's gradient, needs 4 KiB of stack per thread: with 1024
// threads, half of the default 8 MiB.
inline constexpr Range kThreads{0, 1024};

inline constexpr std::array kRunKeys = {
    whole("seed", 1, "", kSeed, "seed of initial values, order and dropout"),
    not_semantic(choice("run.device", "auto", "auto cpu cuda", "auto: a GPU if there is one")),
    not_semantic(choice("run.graphs", "on", "on off", "on a GPU: launch each step as one graph")),
    not_semantic(whole("run.threads", 0, "threads", kThreads, "0 = as many as allowed")),
    not_semantic(whole("run.prefetch", 2, "steps", {0, 64}, "steps to read ahead; 0 = none")),
    not_semantic(whole("run.log_steps", 10, "steps", kCount, "steps between training metrics")),
    not_semantic(whole("run.checkpoint_steps", 0, "steps", kCountOrNone,
                       "steps between checkpoints; 0 = not by steps")),
    not_semantic(real("run.checkpoint_minutes", 5, "minutes", kNumber,
                      "time between checkpoints; 0 = not by time")),
};

}  // namespace key_rows

template <>
struct KeysOf<KeyGroup::kRun> {
  static constexpr const auto& kRows = key_rows::kRunKeys;
};

}  // namespace runner
