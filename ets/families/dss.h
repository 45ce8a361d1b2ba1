// Diagonal state spaces, DSS: rates shared by all channels.
#pragma once

#include "ets/families/diagonal.h"

namespace ets {

struct Dss : ReplayOptions {
  static constexpr std::string_view kName = "dss",
                                    kHelp = "diagonal state spaces, normalized over the length";
  static constexpr std::int64_t kBackwardLag = 1;

  bool bidirectional = false;
  std::int64_t modes = 64;
  lcsm::Word<"softmax exp"> form = "softmax";
  double step_min = 0.001, step_max = 0.1;
  OutputWord output = "linear";

  void describe(auto& option) {
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("modes", modes, "complex modes", {.least = 1, .tensor = "shrink", .axis = 2});
    option("form", form, "normalized over the length, or rates with a negative real part");
    option("step_min", step_min, "the smallest initial step", {.least = 1e-9, .most = 1e3});
    option("step_max", step_max, "the largest initial step", {.least = 1e-9, .most = 1e3});
    option("output", output, "after GELU: nothing, a projection, or a gated projection");
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
