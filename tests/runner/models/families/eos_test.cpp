#include <gtest/gtest.h>

#include "runner/models/families/family.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {

// Input, output [d, d], e and s [k, d], and k d numbers of memory: decayed, written to, read.
TEST(EosFamily, CostsItsProjectionsAndItsRecurrence) {
  const RunConfig config = model_config({"model.code=1-0-1-0", "model.d=64", "model.k=16"});
  const TokenCost cost = eos_cost(plan_model(config, 100));
  const double projections = 2.0 * (2 * 64 * 64 + 2 * 16 * 64);
  EXPECT_GE(cost.flops, projections + 4 * 16 * 64);
  EXPECT_LE(cost.flops, projections + 8 * 16 * 64);
}

}  // namespace runner
