// Linformer (Wang et al. 2020): keys and values projected along time to a fixed number.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct Linformer {
  static constexpr std::string_view
      kName = "linformer",
      kHelp = "attention to projected keys and values; two-sided only (Wang et al. 2020)";

  static constexpr bool kTwoSided = true;
  std::int64_t heads = 4, length = 512, projected = 128;
  bool shared = false;

  void describe(auto& option) {
    option("heads", heads, "heads of d / heads channels", {.least = 1});
    option("length", length, "maximum sequence length",
           {.least = 1, .tensor = "project_key", .axis = 1});
    option("projected", projected, "projected positions", {.least = 1, .tensor = "project_key"});
    option("shared", shared, "one projection for keys and values");
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
