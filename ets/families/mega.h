// MEGA: gated attention of one head over moving averages, and its feed-forward network.
#pragma once

#include "ets/families/attention.h"
#include "ets/families/ema.h"

namespace ets {

struct Mega : ChunkOptions, EmaOptions {
  static constexpr std::string_view kName = "mega", kHelp = "gated attention over moving averages";

  lcsm::Word<"softmax relu2 laplace"> attention = "softmax";
  std::int64_t z = 0, v = 0;
  double attention_dropout = 0, hidden_dropout = 0;

  void describe(auto& option) {
    describe_causal(option);
    option("attention", attention, "from scores to weights");
    describe_chunks(option);
    option("z", z, "channels of queries and keys; 0: half those of the layer, at least 1",
           {.tensor = "scale", .axis = 1});
    option("v", v, "channels of values; 0: twice those of the layer", {.tensor = "value.weight"});
    describe_ema(option, "average.smoothing_logit", 0);
    option("attention_dropout", attention_dropout,
           "dropout rate of the weights of attention, which then exist for all pairs of a chunk",
           {.most = lcsm::kMostDropped});
    option("hidden_dropout", hidden_dropout, "dropout rate of the values",
           {.most = lcsm::kMostDropped});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  void check(std::int64_t d) const;

  std::int64_t keys(std::int64_t d) const { return z == 0 ? std::max<std::int64_t>(d / 2, 1) : z; }
  std::int64_t values(std::int64_t d) const { return v == 0 ? 2 * d : v; }
  Ema averages() const { return {*this, {}}; }
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

struct MegaFeed {
  static constexpr std::string_view kName = "mega-feed", kHelp = "the feed-forward network of MEGA";

  std::int64_t hidden = 0;
  double hidden_dropout = 0;

  void describe(auto& option) {
    option("hidden", hidden, "channels between the two layers; 0: twice the input",
           {.tensor = "up.weight"});
    option("hidden_dropout", hidden_dropout, "dropout rate of these channels",
           {.most = lcsm::kMostDropped});
  }

  lcsm::Parameters tensors(std::int64_t d) const;
  lcsm::Mixing mixing(std::int64_t d, double steps) const;
  lcsm::BlockResult forward(const lcsm::Weights& weights, const at::Tensor& x,
                            const FilterContext& context) const;
};

}  // namespace ets
