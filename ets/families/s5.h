// S5: one state space with many inputs and outputs.
#pragma once

#include "ets/families/diagonal.h"

namespace ets {

struct S5 : StepRangeOptions, ReplayOptions {
  static constexpr std::string_view kName = "s5",
                                    kHelp = "one state space with many inputs and outputs";
  static constexpr std::int64_t kBackwardLag = 0;

  bool bidirectional = false;
  std::int64_t modes = 64, blocks = 1;
  bool conjugate = true, clip = false;
  lcsm::Word<"zoh bilinear"> discretization = "zoh";
  lcsm::Word<"truncated lecun complex"> start = "truncated";
  lcsm::Word<"none gelu half_glu1 half_glu2 full_glu"> output = "none";

  void describe(auto& option) {
    option("bidirectional", bidirectional, "a second shrink over later steps, with the same rates");
    option("modes", modes, "stored complex modes of the one state", {.least = 1, .tensor = "rate"});
    option("blocks", blocks, "equal HiPPO blocks of the initial rates", {.least = 1});
    option("conjugate", conjugate, "each stored mode stands for its conjugate too");
    option("clip", clip, "keeps the real parts of the rates at -0.0001 at most");
    option("discretization", discretization, "zero-order hold or bilinear");
    option("start", start, "the initial shrink, as S5 names it");
    describe_range(option);
    option("output", output,
           "after the shortcut: nothing, GELU, or GELU and a gate on its output, on its input, or "
           "on a projection of its output");
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t directions() const { return bidirectional ? 2 : 1; }
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
