#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lcsm/cuda/driver/nvrtc.h"
#include "runner/base/process/command.h"
#include "runner/base/process/process_facts.h"
#include "runner/train/bench/bench_step_case.h"
#include "tests/lcsm/layer/fake_tensors.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

const std::vector<std::string> kSmall = {"task.length=16", "model.d=8", "model.k=4",
                                         "model.layers=1", "optim.batch=4"};

}  // namespace

TEST(BenchStep, HasTheFirstLossOfThePlainLoop) {
  at::set_num_threads(1);
  for (const StepTask& task : step_tasks()) {
    SCOPED_TRACE(task.name);
    const auto results = bench_steps(task, {"attention", "1-9-1-0"}, kSmall, {.budget = 0});
    ASSERT_EQ(results.size(), 2U);
    for (const StepResult& r : results) {
      EXPECT_LT(r.loss_difference, 1e-5) << r.model;
      // Weights, gradients and two numbers of AdamW for each parameter, in float32.
      EXPECT_GT(r.peak_bytes, 16 * r.parameters) << r.model;
      EXPECT_GE(r.ours.size(), 3U);
      EXPECT_EQ(r.ours.size(), r.plain.size());
      for (std::size_t i = 0; i < r.ours.size(); ++i) {
        const StepTimes& t = r.times[i];
        const double sum = t.data + t.forward + t.head + t.backward + t.update;
        EXPECT_LE(sum, r.ours[i]);
        EXPECT_GT(std::min({t.data, t.forward, t.head, t.backward, t.update}), 0);
      }
    }
  }
}

// Covers batch norms, which know that both are training, and blocks by their definitions. The plain
// loop runs behind the fake driver too: LibTorch's products, our recurrence.
TEST(BenchStep, HasTheFirstLossOfThePlainLoopOnAGpu) {
  if (!lcsm::nvrtc_missing().empty()) GTEST_SKIP() << lcsm::nvrtc_missing();
  at::set_num_threads(1);
  lcsm::test::FakeGpu fake;
  const lcsm::test::FakeTensors tensors(&fake);
  const ComputeDevice device{.gpu = fake.gpu()};
  const auto results =
      bench_steps(step_task("mqar"), {"1-10-1-0"}, kSmall, {.budget = 0, .device = device});
  EXPECT_LT(results.at(0).loss_difference, 1e-5);
  EXPECT_EQ(results[0].ours.size(), results[0].plain.size());
  EXPECT_GT(fake.launches(), 0);
  EXPECT_EQ(fake.findings(), "");
  EXPECT_THROW(bench_steps(step_task("mqar"), {"gpt"}, kSmall, {.budget = 0, .device = device}),
               std::invalid_argument);
}

TEST(BenchStep, HasTheFirstLossOfTheDefinitionOfASystem) {
  at::set_num_threads(1);
  std::vector<std::string> settings = kSmall;
  settings.emplace_back("model.skeleton=source");
  for (const StepResult& r : bench_steps(step_task("mqar"), {"s4d", "mamba", "hgrn", "mega-chunk"},
                                         settings, {.budget = 0}))
    EXPECT_LT(r.loss_difference, 1e-5) << r.model;
}

TEST(BenchStep, HasTheVocabularyOfTheTokens) {
  at::set_num_threads(1);
  for (const auto& [tokens, vocabulary] : {std::pair{"bytes", 256}, {"gpt2", 50265}}) {
    std::vector<std::string> settings = kSmall;
    settings.push_back(std::string("task.tokens=") + tokens);
    const auto results =
        bench_steps(step_task("text"), {"1-3-1-0"}, settings, {.budget = 0, .alone = true});
    EXPECT_NEAR(static_cast<double>(results[0].parameters), 8 * vocabulary, 1000);
  }
}

TEST(BenchStep, CanLeaveThePlainLoopOut) {
  const auto results =
      bench_steps(step_task("mqar"), {"1-9-1-0"}, kSmall, {.budget = 0, .alone = true});
  EXPECT_GE(results[0].ours.size(), 3U);
  EXPECT_TRUE(results[0].plain.empty());
}

TEST(BenchStep, ThePlainLoopLearnsWhatTheTrainerLearns) {
  at::set_num_threads(1);
  const RunConfig config =
      step_config(step_task("mqar"), "1-3-1-2",
                  {"task.vocab=32", "task.length=16", "task.pairs=2", "model.d=8", "model.k=4",
                   "optim.batch=4", "optim.schedule=constant", "optim.warmup=0"});
  const auto data = open_task(config, {});
  Trainer trainer(config, *data);
  PlainStep plain(config, *data);
  for (int n = 1; n <= 5; ++n) EXPECT_NEAR(trainer.step(n).loss, plain(n), 1e-5) << n;
}

TEST(BenchStep, RejectsUnknownTasksCodesAndKeys) {
  EXPECT_THROW(step_task("chess"), std::invalid_argument);
  EXPECT_THROW(step_config(step_task("mqar"), "1-99-1-0", {}), std::invalid_argument);
  EXPECT_THROW(step_config(step_task("mqar"), "ssm", {"model.wide=3"}), std::invalid_argument);
}

TEST(BenchStep, VerbPrintsATableOrJson) {
  const auto program = program_folder() / "lcsm-train";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "lcsm-train not found next to this test";
  std::vector<std::string> words = {program.string(), "bench",   "step",      "--budget", "0",
                                    "--models",       "1-1-1-0", "--threads", "1"};
  for (const std::string& setting : kSmall) words.insert(words.end(), {"--set", setting});
  const auto table = run_command(words, 60s);
  ASSERT_TRUE(table.ok()) << table.err;
  for (const char* part : {"mqar: ", "text: ", "first step of 1-1-1-0 "})
    EXPECT_NE(table.out.find(part), std::string::npos) << table.out;
  words.push_back("--json");
  const auto json = nlohmann::json::parse(run_command(words, 60s).out);
  EXPECT_EQ(json["schema"], "lcsm-train.bench-step/1");
  EXPECT_EQ(json["results"].size(), 2U);
  EXPECT_GT(json["results"][0]["models"][0]["parts"]["backward"], 0.0);
}

}  // namespace runner
