#include "runner/sweeps/plan/run_cost.h"

#include <gtest/gtest.h>

#include "runner/config/keys/task_rows.h"
#include "runner/config/run/course.h"
#include "runner/models/families/model_tensors.h"
#include "tests/runner/sweeps/language/sweep_texts.h"

namespace runner {
namespace {

RunConfig config_of(const std::vector<std::string>& settings) {
  return parse_config("", "", settings, ignore);
}

RunCost cost(std::vector<std::string> settings) {
  settings.insert(settings.begin(), {"task.name=mqar", "model.code=1-1-1-0"});
  return cost_of(config_of(settings));
}

}  // namespace

TEST(RunCost, CountsStepsToTheFirstEnd) {
  // 1000 examples in batches of 64 are 16 steps.
  EXPECT_EQ(cost({"task.train=1000", "optim.batch=64", "optim.epochs=3"}).steps, 48);
  EXPECT_EQ(cost({"task.train=1000", "optim.batch=64", "optim.epochs=3", "optim.steps=20"}).steps,
            20);
  EXPECT_EQ(cost({"task.length=64", "optim.batch=64", "optim.tokens=8192"}).steps, 2);
  EXPECT_EQ(cost({"optim.epochs=0", "optim.schedule=constant", "optim.minutes=5"}).steps, 0);
}

TEST(RunCost, GrowsWithTheWork) {
  const RunCost small = cost({"model.d=64"}), wide = cost({"model.d=128"}),
                deep = cost({"model.layers=4"}), longer = cost({"task.length=128"});
  for (const RunCost& more : {wide, deep, longer}) {
    EXPECT_GT(more.step_flops, small.step_flops);
    EXPECT_GT(more.flops, small.flops);
    EXPECT_GT(more.memory_bytes, small.memory_bytes);
  }
  EXPECT_GT(wide.disk_bytes, small.disk_bytes);
  EXPECT_EQ(longer.disk_bytes, small.disk_bytes);
}

// The counts equal the trained model's and course's.
TEST(RunCost, CountsTheModelAndTheCourseThatAreTrained) {
  const RunConfig config = config_of({"task.name=mqar", "model.code=1-9-1-4", "task.train=1000",
                                      "optim.batch=64", "optim.epochs=3", "task.vocab=100"});
  const RunCost found = cost_of(config);
  EXPECT_EQ(found.steps, static_cast<double>(Course(config, 1000).steps()));
  const auto learned = static_cast<double>(count_of(plan_model(config, 100)).learned);
  EXPECT_EQ(found.disk_bytes, 24 * learned + 2e5);
}

TEST(RunCost, PartsOfABatchTakeLessMemory) {
  EXPECT_LT(cost({"optim.accumulate=4"}).memory_bytes, cost({}).memory_bytes);
  EXPECT_EQ(cost({"optim.accumulate=4"}).step_flops, cost({}).step_flops);
}

TEST(RunCost, CoversAttentionAndEveryTask) {
  EXPECT_GT(cost({"model.family=attention"}).flops, 0);
  for (const TaskRow& task : kTaskRows) {
    if (task.name == "text") continue;
    const bool translates = task.inputs == "sentences";
    const RunCost each = cost({"task.name=" + std::string(task.name),
                               translates ? "model.code=mega" : "model.code=1-1-1-0"});
    EXPECT_GT(each.steps, 0) << task.name;
    EXPECT_GT(each.flops, each.steps * each.step_flops) << task.name << ": evaluations too";
  }
}

TEST(RunCost, IsTheSameIfOnlySeedsAndRatesDiffer) {
  const auto like = [](std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"task.name=mqar", "model.code=1-1-1-0"});
    return likeness(config_of(settings));
  };
  EXPECT_EQ(like({"seed=2", "optim.lr=1e-2", "task.seed=3", "optim.epochs=2"}), like({}));
  EXPECT_NE(like({"model.d=128"}), like({}));
  EXPECT_NE(like({"optim.batch=64"}), like({}));
  EXPECT_NE(like({"model.code=1-3-1-0"}), like({}));
}

TEST(RunCost, FollowsTheDataThatIsThere) {
  const RunConfig config =
      config_of({"task.name=lra-listops", "model.code=1-1-1-0", "optim.epochs=2", "optim.steps=0",
                 "optim.schedule=constant"});
  const RunCost usual = cost_of(config), found = cost_of(config, DataSizes{{640, 64, 64}, 500});
  EXPECT_EQ(usual.steps, 3000);
  EXPECT_EQ(found.steps, 20);
  EXPECT_LT(found.step_flops, 0.6 * usual.step_flops);  // half of the usual 1000 steps
  EXPECT_EQ(found.memory_bytes, usual.memory_bytes);    // a batch may be of the longest
}

// Measured beside the other memory of a process that trains: 1284 and 1667 MiB, 741 MiB.
TEST(RunCost, CountsTheWeightsOfAllPairs) {
  const auto gibibytes = [](const std::string& system, const std::string& option) {
    const RunCost found = cost({"model.system=" + system + "@" + option, "model.d=128",
                                "model.layers=2", "task.length=2048", "optim.batch=2"});
    return (found.memory_bytes - 300e6) / 0x1p30;
  };
  const auto expect_near = [](double found, double measured) {
    EXPECT_GT(found, measured);
    EXPECT_LT(found, 2 * measured);
  };
  expect_near(gibibytes("transformer-xl", "attention_dropout=0"), 1.25);
  expect_near(gibibytes("transformer-xl", "attention_dropout=0.1"), 1.63);
  expect_near(gibibytes("mega", "attention_dropout=0.1,positions=4096"), 0.72);
  EXPECT_LT(gibibytes("mega", "attention_dropout=0,positions=4096"), 0.3);
}

// A longer task.length cuts fewer examples, and adds no cost if examples are shorter.
TEST(RunCost, KnowsHowLongTheTextsAreBeforeTheyAreThere) {
  const auto of = [](std::vector<std::string> settings) {
    settings.insert(settings.begin(), {"task.name=glue-sst2", "model.code=1-1-1-0"});
    return cost_of(config_of(settings)).step_flops;
  };
  EXPECT_EQ(of({"task.length=128"}), of({"task.length=512"}));
  EXPECT_LT(of({"task.length=8"}), of({"task.length=128"}));
  EXPECT_LT(of({"task.tokens=words"}), of({"task.tokens=bytes"})) << "one token for five bytes";
}

// Bundles are full; beam search costs passes over each sentence.
TEST(RunCost, CountsBundlesAndBeams) {
  const auto of = [](std::vector<std::string> settings) {
    settings.insert(settings.begin(),
                    {"task.name=wmt16-en-de", "model.system=mega", "optim.batch=8"});
    return cost_of(config_of(settings));
  };
  const RunCost sentences = of({}), bundles = of({"task.bundle=300"});
  const double fixed = 1e8 * 7;  // of six layers
  EXPECT_NEAR((bundles.step_flops - fixed) / (sentences.step_flops - fixed), 10, 1e-9)
      << "300 tokens for 30 of a sentence";
  EXPECT_NEAR(of({"task.bundle=300", "optim.accumulate=8"}).memory_bytes,
              of({"task.bundle=300", "optim.batch=1"}).memory_bytes, 1)
      << "of a part";
  EXPECT_GT(of({"eval.beam=5"}).flops, 1.01 * of({"eval.beam=1"}).flops);
  EXPECT_EQ(of({"optim.epochs=1", "optim.steps=0", "task.bundle=300"}).steps, 56250);
}

}  // namespace runner
