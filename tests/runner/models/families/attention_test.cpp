#include <gtest/gtest.h>

#include "runner/models/families/family.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {

// 4 d^2 products of the projections, and T d each of q k and of the values; two operations each.
TEST(AttentionFamily, CostsItsProjectionsAndItsScores) {
  const RunConfig config =
      model_config({"model.family=attention", "model.d=64", "model.heads=2", "task.length=128"});
  const TokenCost cost = attention_cost(plan_model(config, 100));
  EXPECT_EQ(cost.flops, 2.0 * (4 * 64 * 64 + 128 * 64));
}

}  // namespace runner
