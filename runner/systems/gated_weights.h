// Memories under gates of their whole size: GateLoop, DUR, GFW.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

// o_k = sigmoid(p_k) exp(i p_k2)
struct GateLoop : CodeBlock<GateLoop> {
  static constexpr std::string_view kName = "gateloop",
                                    kHelp =
                                        "linear attention under a complex data gate over the keys";

  std::int64_t heads = 1, k = 0;
  OutputGateWord output_gate = "silu";

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    option("output_gate", output_gate, "activation of the output gate");
  }

  EosParts parts(std::int64_t d) const;
};

struct RankOneOptions {
  std::int64_t heads = 1, k = 0;
  double tau = 1;

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    option("tau", tau, "each gate is sigmoid(p)^(1/tau)", {.least = 1e-3, .most = 1e6});
  }
};

// o = g gbar^T
struct Dur : CodeBlock<Dur>, RankOneOptions {
  static constexpr std::string_view kName = "dur",
                                    kHelp =
                                        "fast weights under the outer product of two data gates";
  EosParts parts(std::int64_t d) const;
};

// GFW is DUR with keys and queries as elu + 1.
struct Gfw : CodeBlock<Gfw>, RankOneOptions {
  static constexpr std::string_view kName = "gfw",
                                    kHelp = "gated fast weights: as dur, keys and queries positive";
  EosParts parts(std::int64_t d) const;
};

}  // namespace runner
