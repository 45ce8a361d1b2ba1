// Attention that is a recurrence over heads: RetNet, cosFormer, Based.
#pragma once

#include "lcsm/block/block.h"

namespace runner {

struct HeadsOption {
  std::int64_t heads = 1;

  void describe(auto& option) {
    option("heads", heads, "attention heads, which divide d", {.least = 1});
  }
};

struct Retnet : HeadsOption {
  static constexpr std::string_view kName = "retnet",
                                    kHelp = "retention: rotated keys, one decay per head";

  std::int64_t value = 0;
  lcsm::Word<"parallel chunks recurrent"> form = "parallel";
  std::int64_t chunk = 64;
  double eps = 1e-6;

  void describe(auto& option) {
    HeadsOption::describe(option);
    option("value", value, "channels of the values; 0: 2 d", {.tensor = "value.weight"});
    option("form", form, "the algorithm; the three scale rows differently");
    option("chunk", chunk, "steps per chunk, for form=chunks", {.least = 1});
    option("eps", eps, "epsilon of the norm of each head", {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  std::int64_t values(std::int64_t d) const { return value > 0 ? value : 2 * d; }
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct Cosformer : HeadsOption {
  static constexpr std::string_view kName = "cosformer",
                                    kHelp = "attention by relu features and cos(distance)";

  bool bidirectional = false;
  double eps = 1e-6;

  void describe(auto& option) {
    HeadsOption::describe(option);
    option("bidirectional", bidirectional, "attend to later steps too");
    option("eps", eps, "the least sum of weights", {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

struct Based : HeadsOption {
  static constexpr std::string_view
      kName = "based",
      kHelp = "attention by the second-order Taylor series of exp (zoology)";
  static constexpr bool kBeginsWithProducts = true;

  std::int64_t feature = 16;
  lcsm::Word<"linear quadratic"> view = "linear";
  double eps = 1e-12;

  void describe(auto& option) {
    HeadsOption::describe(option);
    option("feature", feature, "channels of queries and keys in each head", {.least = 1});
    option("view", view, "computed from features of the exponential, or from all pairs of steps");
    option("eps", eps, "added to the sum of weights", {.most = 1});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const lcsm::BlockContext& context) const;
};

}  // namespace runner
