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

}  // namespace runner
