#include "runner/models/families/block_cost.h"

#include <gtest/gtest.h>

#include "runner/systems/blocks.h"
#include "runner/systems/system.h"
#include "tests/lcsm/layer/layer_cases.h"
#include "tests/runner/models/blocks/block_cases.h"

namespace runner {
namespace {

// The numbers that a block carries after some steps, for one sequence; 0: none.
double carried(const lcsm::Block& v) {
  const auto weights = lcsm::initial_weights(v, 3, at::kDouble);
  lcsm::BlockContext context;
  context.backend = lcsm::Backend::kReference;
  double count = 0;
  for (const auto& [name, tensor] :
       block_forward(v, weights, lcsm::random_input(1, 5, v.d, 1), context).state)
    count += static_cast<double>(tensor.numel());
  return count;
}

}  // namespace

TEST(BlockCost, KnowTheStateThatABlockCarries) {
  int checked = 0;
  const auto check = [&](const lcsm::Block& v) {
    const double state = carried(v);
    if (state == 0) return;
    EXPECT_EQ(cost_of(v, 5).state, state);
    ++checked;
  };
  for (const BlockCase& c : block_cases()) {
    SCOPED_TRACE(c.name());
    check(c.variant());
  }
  for (const SystemRow& row : system_rows()) {
    SCOPED_TRACE(row.name);
    check(mixer_of(parse_system(row.name), 32));
  }
  EXPECT_GT(checked, 40);
}

TEST(BlockCost, KnowTheMachineOfEverySystem) {
  for (const SystemRow& row : system_rows()) {
    const BlockCost cost = cost_of(mixer_of(parse_system(row.name), 32), 64);
    EXPECT_NE(cost.machine, "unknown") << row.name;
    EXPECT_GT(cost.flops, 2 * 32 * 32) << row.name;
  }
}

// In a block that is linear in T, a token's cost does not depend on T, except for transforms.
TEST(BlockCost, GrowWithTheLengthWherePairsAreCompared) {
  const auto growth = [](const char* name) {
    const lcsm::Block v = mixer_of(parse_system(name), 32);
    return cost_of(v, 4096).flops / cost_of(v, 1024).flops;
  };
  for (const char* name : {"mamba", "rwkv4", "gla", "hgrn", "mega-chunk", "delta-net", "based"})
    EXPECT_EQ(growth(name), 1) << name;
  for (const char* name : {"transformer", "mega", "retnet"}) EXPECT_GT(growth(name), 2.5) << name;
}

}  // namespace runner
