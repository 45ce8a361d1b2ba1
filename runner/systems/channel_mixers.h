// Feed-forward layers after a mixer, which act on each position separately.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Mlp {
  static constexpr std::string_view kName = "mlp",
                                    kHelp = "two layers around an activation, per position";
  static constexpr bool kBeginsWithProducts = true;

  lcsm::Word<"gelu relu"> activation = "gelu";
  std::int64_t size = 0;

  void describe(auto& option) {
    option("activation", activation, "activation between the two layers");
    option("size", size, "channels inside; 0: 4 d", {.tensor = "up.weight"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct Glu {
  static constexpr std::string_view kName = "glu",
                                    kHelp = "a gated linear unit, per position (Shazeer 2020)";
  static constexpr bool kBeginsWithProducts = true;

  lcsm::Word<"identity silu sigmoid gelu relu"> activation = "silu";
  std::int64_t size = 0;

  void describe(auto& option) {
    option("activation", activation, "activation of the gate");
    option("size", size, "channels inside; 0: 2 d", {.tensor = "gate.weight"});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
