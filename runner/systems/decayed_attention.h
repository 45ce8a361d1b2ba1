// Linear attention with decay or rotation: TransNormerLLM, GLA, LRPE; memories with full-size
// gates: GateLoop, DUR, GFW.
#pragma once

#include "runner/systems/eos_block.h"

namespace runner {

// o = exp(-(8 h / H) (1 - l / L)), q and k after silu, out = W (norm(y) (W_u x)).
struct Tnl : CodeBlock<Tnl>, lcsm::LayerPlaceOptions {
  static constexpr std::string_view
      kName = "tnl",
      kHelp = "linear attention with a fixed decay per head (TransNormerLLM)";

  std::int64_t heads = 8, k = 0;

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    describe_layer(option);  // deeper ones decay less
    describe_layers(option);
  }

  EosParts parts(std::int64_t d) const;
};

// o_k = sigmoid(W_2 W_1 x + b)^(1/16), out = W (rms(y) silu(W_g x)), q / sqrt(width of a head).
struct Gla : CodeBlock<Gla> {
  static constexpr std::string_view kName = "gla",
                                    kHelp = "gated linear attention, a data gate over the keys";

  std::int64_t heads = 4, k = 0, rank = 16;
  double tau = 16;

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = half the width",
           {.tensor = "expand.weight"});
    option("rank", rank, "inner size of the gate's projection",
           {.least = 1, .tensor = "oscillation.p_k.down.weight"});
    option("tau", tau, "the gate is sigmoid(p)^(1/tau)", {.least = 1e-3, .most = 1e6});
  }

  EosParts parts(std::int64_t d) const;
};

// o = exp(i theta), theta learned, so that e and s become [e cos(t theta), e sin(t theta)].
struct Lrpe : CodeBlock<Lrpe> {
  static constexpr std::string_view
      kName = "lrpe",
      kHelp = "linear attention, queries and keys rotated by learned angles";

  std::int64_t heads = 8, k = 0;
  OutputNormWord norm = "rms";

  void describe(auto& option) {
    option("heads", heads, "heads", {.least = 1});
    option("k", k, "queries and keys of all heads; 0 = the width", {.tensor = "expand.weight"});
    option("norm", norm, "norm per head; none: a LayerNorm over the width");
  }

  EosParts parts(std::int64_t d) const;
};

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
