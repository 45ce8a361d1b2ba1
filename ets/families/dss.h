// Diagonal state spaces, DSS: rates shared by all channels.
#pragma once

#include "ets/families/diagonal.h"

namespace ets {

struct Dss : StepRangeOptions, ReplayOptions {
  static constexpr std::string_view kName = "dss",
                                    kHelp = "diagonal state spaces, normalized over the length";
  static constexpr std::int64_t kBackwardLag = 1;

  bool bidirectional = false;
  std::int64_t modes = 64;
  lcsm::Word<"softmax exp"> form = "softmax";
  OutputWord output = "linear";

  void describe(auto& option) {
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("modes", modes, "complex modes", {.least = 1, .tensor = "shrink", .axis = 2});
    option("form", form, "normalized over the length, or rates with a negative real part");
    describe_range(option);
    option("output", output, kOutputHelp);
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
