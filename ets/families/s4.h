// S4: a diagonal state space plus a matrix of rank one (DPLR).
#pragma once

#include "ets/families/diagonal.h"

namespace ets {

struct S4 : SystemsOption, StepOptions, AroundOptions, ReplayOptions {
  static constexpr std::string_view kName = "s4", kHelp = "diagonal plus low-rank state spaces";
  static constexpr std::int64_t kBackwardLag = 1;

  bool bidirectional = false;
  std::int64_t modes = 32, length = 0;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("modes", modes, "complex modes per channel",
           {.least = 1, .tensor = "log_decay", .axis = 1});
    describe_systems(option);
    option("length", length,
           "shrink is C (I - A^length); 0: plain C, and the kernel of any length");
    describe_step(option);
    describe_range(option);
    describe_around(option);
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t directions() const { return bidirectional ? 2 : 1; }
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;

  // The filter as a dense state space by the bilinear rule: slow, but simple.
  Filter state_space(const lcsm::Weights& weights) const;

  // Computes C (I - A^to) from the shrink C (I - A^from), for example when its length doubles; from
  // = 0: the shrink is C itself. [G, D, M, 2].
  at::Tensor shrink_for(const lcsm::Weights& weights, std::int64_t from, std::int64_t to) const;
};

}  // namespace ets
