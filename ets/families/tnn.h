// Toeplitz neural networks: a gated layer whose kernel a small network computes from the lag.
#pragma once

#include "ets/families/family_types.h"
#include "lcsm/block/block.h"

namespace ets {

struct Tnn {
  static constexpr std::string_view kName = "tnn",
                                    kHelp = "a gated layer whose kernel is a network of the lag";
  static constexpr std::int64_t kBackwardLag = 1;

  bool bidirectional = false;
  std::int64_t channels = 0, width = 64, layers = 6;
  double gamma = 0.99;

  void describe(auto& option) {
    option("bidirectional", bidirectional, "coefficients of negative lags too");
    option("channels", channels, "channels of the kernel; 0: three times those of the layer",
           {.tensor = "coefficient.weight"});
    option("width", width, "width of the network of lags",
           {.least = 1, .tensor = "position.weight"});
    option("layers", layers, "layers of that width between the first and the last",
           {.least = 1, .tensor = "hidden.weight"});
    option("gamma", gamma, "the decay of a coefficient per step of lag", {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  Filter filter(const lcsm::Weights& weights, std::int64_t T, const lcsm::GpuOrCpu& gpu) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

}  // namespace ets
