#include "runner/models/families/on_a_gpu.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "runner/systems/system.h"
#include "tests/message_of.h"

namespace runner {
namespace {

// The reason why a model is refused; "" if it is not.
std::string why(const std::string& model) {
  const RunConfig config =
      parse_config("", "", {"task.name=mqar", model}, [](const std::string&) {});
  return message_of<std::invalid_argument>([&] { check_for_gpu(plan_model(config, 16)); });
}

}  // namespace

TEST(OnAGpu, AreAllFamiliesAndCodes) {
  for (const char* model : {"model.code=1-9-1-0", "model.code=1-1-1-4", "model.code=1-12-1-0",
                            "model.family=attention", "model.code=fwp", "model.code=1-ces-1-0"})
    EXPECT_EQ(why(model), "") << model;
}

TEST(OnAGpu, AreNamedSystemsButOne) {
  for (const SystemRow& row : system_rows()) {
    if (is_two_sided(parse_system(row.name))) continue;
    const std::string text = why("model.system=" + std::string(row.name));
    if (row.name == "reformer")
      EXPECT_NE(text.find("got 'reformer': the sizes of its buckets"), std::string::npos) << text;
    else
      EXPECT_EQ(text, "") << row.name;
  }
}

TEST(OnAGpu, AreBlocksAroundCodesThatHaveAMachine) {
  EXPECT_EQ(why("model.system=delta-net@k=128,heads=1"), "");
  EXPECT_NE(why("model.system=delta-net@k=130,heads=1").find("got k = 130"), std::string::npos);
}

TEST(OnAGpu, AreOptimizersWhoseRowSaysSo) {
  OptimizerRow row = kOptimizerRows[0];
  row.name = "new";
  EXPECT_NO_THROW(check_for_gpu(row));
  row.on_gpu = false;
  EXPECT_EQ(message_of<std::invalid_argument>([&] { check_for_gpu(row); }),
            "optim.name: expected an optimizer that computes on a GPU, got 'new'; "
            "set run.device = \"cpu\"");
}

}  // namespace runner
