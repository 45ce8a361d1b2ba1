// H3: a shift state space on the keys, a diagonal one on keys times values, times the queries.
#pragma once

#include "ets/families/diagonal.h"

namespace ets {

struct H3 : SystemsOption, StepOptions, StartOption {
  static constexpr std::string_view kName = "h3",
                                    kHelp = "a shift and a diagonal state space around products";

  std::int64_t modes = 32, taps = 64, head_size = 1;
  lcsm::Word<"zoh bilinear"> discretization = "bilinear";

  void describe(auto& option) {
    option("modes", modes, "complex modes per head",
           {.least = 1, .tensor = "log_decay", .axis = 1});
    option("taps", taps, "the length of the shift kernel",
           {.least = 1, .tensor = "shift.expand", .axis = 1});
    option("head_size", head_size, "channels per head", {.least = 1});
    describe_systems(option);
    option("discretization", discretization, "zero-order hold or bilinear");
    describe_step(option);
    describe_start(option);
    describe_range(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

}  // namespace ets
