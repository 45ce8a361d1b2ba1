// Damped multi-dimensional exponential moving average (MEGA).
#pragma once

#include "ets/families/replay.h"
#include "lcsm/block/block.h"

namespace ets {

// The options of every family that contains this average.
struct EmaOptions {
  bool bidirectional = false;
  std::int64_t modes = 16, truncation = 0;

  // `logits`: the tensor that has a column for each average.
  void describe_ema(auto& option, std::string_view logits, double least = 1) {
    option("bidirectional", bidirectional, "a second kernel over later steps",
           {.needs = "modes!=0"});
    option("modes", modes, least == 0 ? "averages per channel; 0: none" : "averages per channel",
           {.least = least, .tensor = logits, .axis = 2});
    option("truncation", truncation, "the kernel's largest length; 0: none", {.needs = "modes!=0"});
  }

  std::int64_t directions() const { return bidirectional ? 2 : 1; }
};

struct Ema : EmaOptions, ReplayOptions {
  static constexpr std::string_view kName = "ema",
                                    kHelp = "damped exponential moving averages, as in MEGA";
  static constexpr std::int64_t kBackwardLag = 0;

  void describe(auto& option) {
    describe_ema(option, "smoothing_logit");
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
