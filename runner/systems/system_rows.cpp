// The table of named systems.
#include <array>

#include "runner/systems/blocks.h"
#include "runner/systems/system.h"

namespace runner {
namespace {

constexpr const char* kStateSpace = "A and step, static";

}  // namespace

std::span<const SystemRow> system_rows() {
  static const std::array kRows = {
      SystemRow{.name = "s4",
                .help = "diagonal plus low-rank state spaces, GELU, GLU",
                .block = &ets::kS4,
                .preset = "output=glu",
                .norm = "batch",
                .post = true,
                .tied = true,
                .equation = "x + GLU(W gelu(K * x + D x)), K the kernel of h' = A h + B x, y = C h",
                .source = "Gu, Goel, Re 2022 (arXiv 2111.00396); state-spaces/s4",
                .reading = {"B, static", kStateSpace, "C, static", "the shortcut D; A is diagonal",
                            "0-s4d-0-0"}},
      SystemRow{.name = "s4d",
                .help = "diagonal state spaces, GELU, GLU",
                .block = &ets::kS4d,
                .preset = "output=glu",
                .norm = "batch",
                .post = true,
                .tied = true,
                .equation = "x + GLU(W gelu(K * x + D x)), K_t = 2 Re(sum of C B' exp(dt A t))",
                .source = "Gu, Gupta, Goel, Re 2022 (arXiv 2206.11893); state-spaces/s4",
                .reading = {"B, static", kStateSpace, "C, static", "the shortcut D", "0-s4d-0-0"}},
      SystemRow{.name = "dss",
                .help = "diagonal state spaces, normalized over the length",
                .block = &ets::kDss,
                .norm = "layer",
                .tied = true,
                .equation = "x + W gelu(K * x + D x), K_t = Re(sum of w / A softmax_t(t dt A))",
                .source = "Gupta, Gu, Berant 2022 (arXiv 2203.14343); ag1988/dss",
                .reading = {"B, static", kStateSpace, "C, static",
                            "the normalization over the length; the shortcut D", "0-s4d-0-0"}},
      SystemRow{.name = "s5",
                .help = "one state space with many inputs and outputs",
                .block = &ets::kS5,
                .norm = "batch",
                .tied = true,
                .equation = "h_t = A h_(t-1) + B x_t, y = 2 Re(C h) + D x",
                .source = "Smith, Warrington, Linderman 2023 (arXiv 2208.04933); lindermanlab/S5",
                .reading = {"B, static, over all channels", kStateSpace, "C, static",
                            "that all channels share one state; the shortcut D", ""}},
      SystemRow{.name = "h3",
                .help = "a shift and a diagonal state space around products",
                .block = &ets::kH3,
                .norm = "layer",
                .equation = "W_o (q (S4D(k' v) + D k' v)), k' = shift(k) + D' k",
                .source = "Fu et al. 2023 (arXiv 2212.14052); HazyResearch/H3",
                .reading = {"B, static", kStateSpace, "C, static",
                            "the shift state space and the products around", ""}},
      SystemRow{.name = "tnn",
                .help = "a Toeplitz kernel made by a network, in a gated unit",
                .block = &ets::kTnn,
                .norm = "rms",
                .equation = "W_o (silu(W_u x) T silu(W_v x)), T_l = gamma^l N(l)",
                .source = "Qin et al. 2023 (arXiv 2305.04749); Doraemonzzz/tnn-pytorch",
                .reading = {"B, static", kStateSpace, "C, static",
                            "the network of the lag; the gate u", "0-0-0-0"}},
      SystemRow{.name = "base-conv",
                .help = "a short convolution times a projection",
                .block = &kBaseConv,
                .norm = "layer",
                .equation = "conv(x) (W x + b) + x",
                .source = "Arora et al. 2023 (arXiv 2312.04927); HazyResearch/zoology",
                .reading = {"shift, static", "shift, static", "taps, static", "the product", ""}},
  };
  return kRows;
}

}  // namespace runner
