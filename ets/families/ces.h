// Complex exponential smoothing (ETSMLP).
#pragma once

#include "ets/families/replay.h"
#include "lcsm/block/block.h"

namespace ets {

// The options of every family that contains this smoothing.
struct CesOptions {
  bool bidirectional = false;
  lcsm::Word<"complex real"> form = "complex";
  bool step = true, expand = true, skip = true, normalize = false;
  double max_lambda = 0.9999;
  bool slow = false, balance = false;
  lcsm::Word<"ring fixed"> start = "ring";
  double r_min = 0.1, r_max = 0.9, max_phase = 3.14, start_real = 0.9, start_imag = 0.1;
  double step_min = 0.001, step_max = 0.1;

  void describe_ces(auto& option) {
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("form", form, "a complex decay, or the damped smoothing of MEGA");
    option("step", step, "a learned complex step; false: the decay is exp(rate)",
           {.needs = "form=complex"});
    option("expand", expand, "a learned weight; false: 1");
    option("skip", skip, "a learned shortcut");
    option("normalize", normalize, "one direction only: divides by the running sum of the kernel");
    option("max_lambda", max_lambda, "the largest |decay|",
           {.least = 1e-6, .most = 1, .needs = "form=complex"});
    option("slow", slow, "multiplies the logarithm of the decay by 0.06",
           {.needs = "form=complex"});
    option("balance", balance, "multiplies the kernel by sqrt(1 - |decay|^2)",
           {.needs = "form=complex"});
    option("start", start, "initial decays: uniform in a ring, or all the same",
           {.needs = "form=complex"});
    option("r_min", r_min, "the ring's inner radius", {.most = 1, .needs = "start=ring"});
    option("r_max", r_max, "the ring's outer radius", {.most = 1, .needs = "start=ring"});
    option("max_phase", max_phase, "the ring's largest angle",
           {.most = 6.2832, .needs = "start=ring"});
    option("start_real", start_real, "the fixed decay's real part",
           {.least = -1, .most = 1, .needs = "start=fixed"});
    option("start_imag", start_imag, "the fixed decay's imaginary part",
           {.least = -1, .most = 1, .needs = "start=fixed"});
    option("step_min", step_min, "the smallest initial step",
           {.least = 1e-9, .most = 1e3, .needs = "form=complex"});
    option("step_max", step_max, "the largest initial step",
           {.least = 1e-9, .most = 1e3, .needs = "form=complex"});
  }

  std::int64_t directions() const { return bidirectional ? 2 : 1; }
};

struct Ces : CesOptions, ReplayOptions {
  static constexpr std::string_view kName = "ces",
                                    kHelp = "complex exponential smoothing, as in ETSMLP";
  static constexpr std::int64_t kBackwardLag = 1;

  void describe(auto& option) {
    describe_ces(option);
    describe_replay(option);
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
};

}  // namespace ets
