// S4++: cross attention between inputs and the output of S4+, equations 18 to 28 of its paper, or
// the sum of a state space and attention, equation 16. Where the paper is silent, an option says so
// in its help.
#pragma once

#include "ets/families/attention.h"
#include "ets/families/s4.h"

namespace ets {

struct S4pp : ChunkOptions, SystemsOption, StepOptions {
  static constexpr std::string_view kName = "s4++",
                                    kHelp = "cross attention between inputs and S4+ of them";

  lcsm::Word<"gates sum"> combine = "gates";
  std::int64_t q = 0, v = 0;
  lcsm::Word<"width keys"> divisor = "width";
  lcsm::Word<"s4 s4d"> kernel = "s4";
  bool skip = false;
  OutputWord output = "none";
  bool bidirectional = false;
  std::int64_t modes = 32, length = 0;
  ReplayOptions gate = {.replay = "depthwise"};

  void describe(auto& option) {
    describe_causal(option);
    describe_chunks(option);
    option(
        "combine", combine,
        "filter and attention: by gates, eq. 24 to 28, or their sum, eq. 16, whose c1 and c2 are "
        "in C and W_v; there W_q, W_k, W_v are linear, and nothing divides the scores");
    option("q", q,
           "channels of queries and keys, unstated; 0: half those of the layer, at least 1, as "
           "MEGA",
           {.tensor = "query.weight"});
    option("v", v, "channels of values, unstated; 0: twice those of the layer, as MEGA",
           {.needs = "combine=gates", .tensor = "value.weight"});
    option("divisor", divisor,
           "scores are divided by the square root of the layer's width, as in eq. 23, or of the "
           "queries' width, as in most attention",
           {.needs = "combine=gates"});
    option("kernel", kernel, "of the filter: S4's, as in eq. 3, or diagonal rates");
    option("skip", skip, "the filter's shortcut; off, since eq. 19 is the kernel alone");
    option("output", output,
           "after the filter GELU and a projection, as S4 has; none: eq. 19 is the kernel alone");
    option("bidirectional", bidirectional, "a second kernel over later steps");
    option("modes", modes, "complex modes per channel, unstated; as S4",
           {.least = 1, .tensor = "filter.log_decay", .axis = 1});
    describe_systems(option, "filter.log_decay");
    option("length", length, "shrink is C (I - A^length); 0: plain C, and the kernel of any length",
           {.needs = "kernel=s4"});
    describe_step(option);
    describe_range(option);
    gate.describe_replay(option, "filter.replay.weight");
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;

  std::int64_t keys(std::int64_t d) const { return q == 0 ? std::max<std::int64_t>(d / 2, 1) : q; }
  std::int64_t values(std::int64_t d) const { return combine == "sum" ? d : v == 0 ? 2 * d : v; }
  // S4+ by one of two kernels; its tensors have the prefix "filter.".
  S4 s4() const;
  S4d s4d() const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

}  // namespace ets
