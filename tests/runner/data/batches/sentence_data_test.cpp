// Translations as batches, and runs on them.
#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "runner/data/batches/task_data.h"
#include "runner/data/datasets/making.h"
#include "runner/data/sentences/sentence_set.h"
#include "runner/data/tasks/task.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class SentenceDataTest : public testing::Test {
 protected:
  void SetUp() override { make_few(workspace()); }
  fs::path workspace() const { return scratch_.path(); }

  static void make_few(const fs::path& workspace) {
    Recipe recipe = default_recipe(*find_dataset("phrases"));
    recipe.examples = {40, 6, 6};
    make_dataset({recipe, workspace / "data" / "few", 1, {}, {}});
  }

  RunConfig config_for(const std::vector<std::string>& more = {}) const {
    RunConfig config = config_of({"task.name=phrases",
                                  "task.data=few",
                                  "task.merges=400",
                                  "task.length=48",
                                  "model.d=8",
                                  "model.layers=1",
                                  "model.system=mega@modes=2,attention_dropout=0.1",
                                  "model.dropout=0.1",
                                  "optim.batch=8",
                                  "optim.accumulate=2",
                                  "optim.steps=7",
                                  "optim.epochs=0",
                                  "optim.warmup=2",
                                  "eval.epochs=0",
                                  "eval.steps=3",
                                  "eval.batch=4",
                                  "eval.beam=2",
                                  "run.log_steps=4",
                                  "run.checkpoint_steps=2",
                                  "run.checkpoint_minutes=0",
                                  "run.threads=1"},
                                 more);
    pin_content(config, workspace());
    return config;
  }

  // In a workspace whose byte pairs are not learned yet.
  static void expect_exact_resume(const RunConfig& config) {
    const ScratchFolder fresh;
    make_few(fresh.path());
    runner::expect_exact_resume(config, fresh.path(), 17, 4);
  }

 private:
  const ScratchFolder scratch_;
};

std::vector<std::uint32_t> row_of_tokens(const at::Tensor& tokens, std::int64_t row,
                                         std::size_t count) {
  std::vector<std::uint32_t> values(count);
  for (std::size_t t = 0; t < count; ++t)
    values[t] = static_cast<std::uint32_t>(tokens[row][static_cast<std::int64_t>(t)].item<int>());
  return values;
}

}  // namespace

TEST_F(SentenceDataTest, BatchesHaveBothSentencesWithTheirEnds) {
  const auto data = open_task(config_for(), workspace());
  const SentenceSet& set = *data->sentences();
  const std::vector<std::uint32_t> which = {3, 0, 11};
  const Batch batch = data->batch(Split::kTrain, which);
  std::size_t target = 0;
  for (std::int64_t b = 0; b < 3; ++b) {
    const std::uint32_t sentence = which[static_cast<std::size_t>(b)];
    std::vector<std::uint32_t> source = set.source(Split::kTrain, sentence),
                               wanted = set.target(Split::kTrain, sentence);
    source.push_back(JointBpe::kEnd);
    wanted.push_back(JointBpe::kEnd);
    EXPECT_EQ(row_of_tokens(batch.inputs.source, b, source.size()), source);
    for (std::size_t t = 0; t < wanted.size(); ++t, ++target)
      EXPECT_EQ(batch.targets[static_cast<std::int64_t>(target)].item<int>(),
                static_cast<int>(wanted[t]));
    wanted.insert(wanted.begin(), JointBpe::kEnd);
    wanted.pop_back();
    EXPECT_EQ(row_of_tokens(batch.inputs.values, b, wanted.size()), wanted);
    const auto there = [b](const at::Tensor& padding) {
      return padding.size(1) - padding[b].sum().item<std::int64_t>();
    };
    EXPECT_EQ(there(batch.inputs.padding), static_cast<std::int64_t>(wanted.size()));
    EXPECT_EQ(there(batch.inputs.source_padding), static_cast<std::int64_t>(source.size()));
  }
  EXPECT_EQ(batch.targets.size(0), static_cast<std::int64_t>(target));
  EXPECT_EQ(batch.rows.size(0), batch.targets.size(0));
}

// The loss is linear in the share that all tokens have in common.
TEST_F(SentenceDataTest, SmoothsTheLossOfItsSteps) {
  const auto loss = [&](const char* smoothing) {
    const RunConfig config = config_for({smoothing, "model.dropout=0"});
    const auto data = open_task(config, workspace());
    return Trainer(config, *data).step(1).loss;
  };
  const double none = loss("optim.smoothing=0"), some = loss("optim.smoothing=0.25"),
               more = loss("optim.smoothing=0.5");
  EXPECT_GT(std::abs(some - none), 1e-3);
  EXPECT_NEAR(more - some, some - none, 1e-5);
}

TEST_F(SentenceDataTest, CutsLongSentences) {
  const auto data = open_task(config_for({"task.length=5"}), workspace());
  const std::vector<std::uint32_t> which = {0, 1};
  const Batch batch = data->batch(Split::kTest, which);
  EXPECT_EQ(batch.inputs.source.size(1), 5);
  EXPECT_EQ(batch.inputs.values.size(1), 5);
  EXPECT_EQ(batch.inputs.source[0][4].item<int>(), static_cast<int>(JointBpe::kEnd));
  const std::vector<std::uint32_t> all = {0, 1, 2, 3, 4, 5};
  for (int length = 3; length < 16; ++length) {
    const auto cut = open_task(config_for({"task.length=" + std::to_string(length)}), workspace());
    const Inputs inputs = cut->batch(Split::kTest, all).inputs;
    EXPECT_LE(std::max(inputs.source.size(1), inputs.values.size(1)), length);
  }
}

TEST_F(SentenceDataTest, BundlesHaveFewEnoughTokens) {
  const auto data = open_task(config_for({"task.bundle=100"}), workspace());
  const std::int64_t bundles = data->examples(Split::kTrain);
  EXPECT_GT(bundles, 5);
  EXPECT_LT(bundles, 40);
  EXPECT_EQ(data->examples(Split::kTest), 6);
  std::int64_t sentences = 0;
  for (std::int64_t i = 0; i < bundles; ++i) {
    const std::vector<std::uint32_t> which = {static_cast<std::uint32_t>(i)};
    const Batch batch = data->batch(Split::kTrain, which);
    EXPECT_LE(std::max(batch.inputs.values.numel(), batch.inputs.source.numel()), 100);
    sentences += batch.inputs.values.size(0);
  }
  EXPECT_EQ(sentences, 40);
  const std::vector<std::uint32_t> two = {5, 0};
  EXPECT_EQ(data->batch(Split::kTest, two).inputs.values.size(0), 2) << "no bundles";
}

TEST_F(SentenceDataTest, OrdersAreFunctionsOfSeedAndEpoch) {
  for (const char* bundle : {"task.bundle=0", "task.bundle=100"}) {
    const auto data = open_task(config_for({bundle}), workspace());
    const auto order = [&](std::uint64_t seed, std::uint64_t epoch) {
      return data->training_order({true, false, 4, seed, epoch});
    };
    EXPECT_EQ(order(1, 0), order(1, 0)) << bundle;
    EXPECT_NE(order(1, 0), order(1, 1)) << bundle;
    EXPECT_NE(order(1, 0), order(2, 0)) << bundle;
    const std::vector<std::uint32_t> as_stored =
        data->training_order({.shuffled = false, .batch = 4});
    EXPECT_TRUE(std::ranges::is_sorted(as_stored)) << bundle;
    const std::vector<std::uint32_t> all = order(1, 0);
    EXPECT_EQ(std::set<std::uint32_t>(all.begin(), all.end()).size(),
              static_cast<std::size_t>(data->examples(Split::kTrain)));
  }
}

TEST_F(SentenceDataTest, KilledAnywhereItEndsTheSame) {
  expect_exact_resume(config_for({"task.length=10"}));
}

TEST_F(SentenceDataTest, KilledAnywhereItEndsTheSameWithBundles) {
  expect_exact_resume(
      config_for({"task.bundle=100", "task.length=10", "optim.batch=2", "eval.best=sacrebleu",
                  "model.system=transformer@positions=none", "model.positions=sinusoidal"}));
}

}  // namespace runner
