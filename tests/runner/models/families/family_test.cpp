#include "runner/models/families/family.h"

#include <gtest/gtest.h>

#include "runner/config/keys/family_rows.h"
#include "tests/runner/models/skeletons/model_config.h"

namespace runner {

TEST(Family, EveryOneHasTensorsAndACost) {
  for (const FamilyRow& row : kFamilyRows) {
    SCOPED_TRACE(row.name);
    const RunConfig config = model_config(
        {"model.code=1-9-1-0", "model.family=" + std::string(row.name), "model.system=base-conv"});
    const ModelPlan plan = plan_model(config, 100);
    TensorList tensors(config);
    family_of(config).put_tensors(plan, 0, tensors);
    EXPECT_GT(tensors.take().size(), 0u);
    const TokenCost cost = family_of(config).cost(plan);
    EXPECT_GT(cost.flops, 0);
    EXPECT_GT(cost.kept, 0);
  }
}

// The numbers that the layers carry; for attention, the keys and values.
TEST(Family, KnowsTheStateOfAModel) {
  const auto state = [](std::vector<std::string> settings, const std::string& length = "64") {
    settings.insert(settings.end(), {"model.d=32", "model.layers=3", "task.length=" + length});
    return state_of(plan_model(model_config(settings), 100));
  };
  EXPECT_EQ(state({"model.code=1-9-1-0", "model.k=16"}), 3 * 32 * 16);
  EXPECT_EQ(state({"model.code=1-9-1-0", "model.k=16"}, "128"), 3 * 32 * 16);
  EXPECT_EQ(state({"model.code=1-9-1-0", "model.k=16", "model.code_heads=4"}), 3 * 32 * 16 / 4);
  EXPECT_EQ(state({"model.code=1-9-1-0", "model.k=16", "model.conv=4"}),
            3 * (32 * 16 + 3 * (32 + 16 + 16)));
  EXPECT_EQ(state({"model.family=attention"}), 3 * 2 * 32 * 64);
  EXPECT_EQ(state({"model.family=attention"}, "128"), 3 * 2 * 32 * 128);
  EXPECT_EQ(state({"task.name=lra-text", "model.family=attention", "model.attention=both"}), 0);
  // A running softmax and the last token; the last token of the channel mixer.
  EXPECT_EQ(state({"model.system=rwkv4"}), 3 * (3 * 32 + 32));
}

}  // namespace runner
