// Softmax attention (Vaswani et al. 2017), linear attention (Katharopoulos et al. 2020) and random
// features (Choromanski et al. 2021): one set of tensors, three functions for the weight of a pair.
#pragma once

#include "runner/systems/attention.h"

namespace runner {

struct Transformer : AttentionOptions {
  static constexpr std::string_view kName = "transformer",
                                    kHelp = "softmax attention (Vaswani et al. 2017)";

  lcsm::Word<"none rope"> positions = "none";

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("positions", positions, "rope: queries and keys are rotated by their time");
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct LinearTransformer : AttentionOptions {
  static constexpr std::string_view
      kName = "linear-transformer",
      kHelp = "attention with features elu + 1 (Katharopoulos et al. 2020)";

  double epsilon = 1e-6;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("epsilon", epsilon, "added to the sum of the weights, as its authors' code does",
           {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct Performer : AttentionOptions, DrawOption {
  static constexpr std::string_view
      kName = "performer",
      kHelp = "attention by positive random features, FAVOR+ (Choromanski et al. 2021)";

  lcsm::Word<"softmax relu"> kernel = "softmax";
  std::int64_t features = 0;
  double epsilon = 0;

  void describe(auto& option) {
    AttentionOptions::describe(option);
    option("kernel", kernel, "what the features estimate (softmax), or relu(W x)");
    option("features", features, "random features per head; 0: w ln w for a head of w channels");
    DrawOption::describe(option);
    option("epsilon", epsilon, "added to every feature; 0: 1e-8, or 1e-3 with kernel=relu",
           {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t feature_count(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
