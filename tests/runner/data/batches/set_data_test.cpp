// Tasks on small data sets in our file format.
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "runner/config/keys/task_keys.h"
#include "runner/data/batches/task_data.h"
#include "runner/data/datasets/making.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/task.h"
#include "runner/train/loss/heads.h"
#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/train/trainer/small_run.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

class SetDataTest : public testing::Test {
 protected:
  void SetUp() override { scratch_.emplace(); }
  fs::path workspace() const { return scratch_->path(); }

  void make(const char* name, std::array<std::uint64_t, 3> examples, const fs::path& workspace) {
    Recipe recipe = default_recipe(*find_dataset(name));
    recipe.examples = examples;
    if (recipe.over > 0) recipe.over = 3, recipe.under = 30;
    if (recipe.length > 0) recipe.length = 64;
    make_dataset({recipe, workspace / "data" / "few", 1, {}, {}});
  }

  RunConfig config_for(const char* task, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> settings = {"task.name=" + std::string(task),
                                         "task.data=few",
                                         "model.d=8",
                                         "model.layers=1",
                                         "model.dropout=0.1",
                                         "optim.batch=8",
                                         "optim.accumulate=2",
                                         "optim.steps=7",
                                         "optim.epochs=0",
                                         "optim.warmup=2",
                                         "eval.epochs=0",
                                         "eval.steps=3",
                                         "eval.batch=4",
                                         "run.log_steps=4",
                                         "run.checkpoint_steps=2",
                                         "run.checkpoint_minutes=0",
                                         "run.threads=1"};
    if (more.empty()) settings.insert(settings.end(), {"model.code=1-3-1-2", "model.k=2"});
    RunConfig config = config_of(settings, more);
    pin_content(config, workspace());
    return config;
  }

  std::optional<ScratchFolder> scratch_;
};

TEST_F(SetDataTest, PadsOnTheRightAndMarksIt) {
  make("lra-listops", {50, 5, 5}, workspace());
  const auto data = open_task(config_for("lra-listops"), workspace());
  const DataFile file((workspace() / "data/few/train.set").string());
  const std::vector<std::uint32_t> which = {7, 3, 20};
  const Batch batch = data->batch(Split::kTrain, which);
  ASSERT_TRUE(batch.inputs.padding.defined());
  for (std::int64_t b = 0; b < 3; ++b) {
    const std::string_view wanted = file.sequence(which[static_cast<std::size_t>(b)]);
    for (std::int64_t t = 0; t < batch.inputs.length(); ++t) {
      const bool there = t < static_cast<std::int64_t>(wanted.size());
      EXPECT_EQ(batch.inputs.padding[b][t].item<bool>(), !there);
      EXPECT_EQ(batch.inputs.values[b][t].item<std::int64_t>(),
                there ? wanted[static_cast<std::size_t>(t)] : 0);
    }
    EXPECT_EQ(batch.targets[b].item<std::int64_t>(),
              file.label(which[static_cast<std::size_t>(b)]));
  }
  std::vector<std::uint32_t> as_stored(50);
  std::iota(as_stored.begin(), as_stored.end(), 0u);
  EXPECT_EQ(data->training_order({.shuffled = false, .batch = 4}), as_stored);
}

// An example's score does not depend on longer ones in the batch: no padding reaches the mean.
TEST_F(SetDataTest, PaddingNeverChangesAScore) {
  make("lra-listops", {50, 5, 5}, workspace());
  const std::vector<std::vector<std::string>> models = {
      {"model.code=1-3-1-2", "model.k=2"},
      {"model.family=attention", "model.heads=2"},
      {"model.family=attention", "model.heads=2", "model.attention=both"},
      {"model.family=attention", "model.heads=2", "model.attention=both", "model.skeleton=zoology",
       "model.positions=learned", "model.head=gelu"}};
  const at::NoGradGuard raw;
  for (const auto& settings : models) {
    const RunConfig config = config_for("lra-listops", settings);
    const auto data = open_task(config, workspace());
    const Model model = make_model(config, data->vocab(), at::kDouble);
    const HeadRow& head = head_of(model.plan());
    const std::vector<std::uint32_t> all = data->evaluation_order(Split::kTrain);
    Dropout none;
    const auto loss = [&](std::span<const std::uint32_t> which) {
      const Batch batch = data->batch(Split::kTrain, which);
      return head.score(model, model.hidden(batch.inputs, none), batch,
                        Precision::kFloat32)[Sum::kLoss];
    };
    double alone = 0;
    for (const std::uint32_t& one : all) alone += loss({&one, 1});
    // float64 sums in another order.
    EXPECT_NEAR(loss(all), alone, 1e-9 * alone) << settings.back();
  }
}

// Seven test examples of three classes, of which the last three are reported apart.
TEST_F(SetDataTest, ReportsSomeTestExamplesApart) {
  const fs::path folder = workspace() / "data" / "few";
  fs::create_directories(folder);
  std::vector<NewExample> examples;
  for (std::uint32_t i = 0; i < 7; ++i)
    examples.push_back({{std::string(i + 2, 'a'), "b"}, i < 4 ? 0u : i - 4, {}});
  for (const Split split : kSplits)
    write_examples(
        split_file(folder, split), {.vocabulary = 256, .classes = 3, .sequences = 2},
        split == Split::kTest ? R"({"name":"glue-mnli","apart":4})" : R"({"name":"glue-mnli"})",
        examples);
  const RunConfig config = config_for("glue-mnli");
  const auto data = open_task(config, workspace());
  EXPECT_EQ(data->examples(Split::kValid), 7);
  EXPECT_EQ(data->evaluation_order(Split::kTest), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(data->order_apart(Split::kTest), (std::vector<std::uint32_t>{4, 5, 6}));
  EXPECT_TRUE(data->order_apart(Split::kValid).empty());
  Trainer trainer(config, *data);
  std::map<std::string, double> values;
  for (const auto& [name, value] : trainer.metrics(Split::kTest)) values[name] = value;
  const auto score = [&](const Batch& batch) {
    const at::NoGradGuard raw;
    Dropout none;
    return head_of(trainer.model().plan())
        .score(trainer.model(), trainer.model().hidden(batch.inputs, none), batch,
               Precision::kFloat32);
  };
  const Score apart = score(data->batch(Split::kTest, data->order_apart(Split::kTest)));
  EXPECT_EQ(apart[Sum::kCount], 3);
  ASSERT_TRUE(values.contains("test.accuracy_mismatched"));
  EXPECT_EQ(values["test.accuracy_mismatched"], metric_value("accuracy", apart));
  EXPECT_EQ(trainer.metrics(Split::kValid).size(), 2u);  // accuracy, loss
  const RunConfig limited =
      config_for("glue-mnli", {"model.code=1-3-1-2", "model.k=2", "eval.examples=1"});
  const double of_one = Trainer(limited, *data).metrics(Split::kTest).back().second;
  EXPECT_TRUE(of_one == 0 || of_one == 1) << of_one;
  EXPECT_NE(of_one, metric_value("accuracy", apart));
  EXPECT_EQ(train(config, workspace()), RunState::kDone);
}

TEST_F(SetDataTest, CountsF1OverTheWholeSplit) {
  const fs::path folder = workspace() / "data" / "few";
  fs::create_directories(folder);
  std::vector<NewExample> examples;
  for (std::uint32_t i = 0; i < 40; ++i)
    examples.push_back(
        {{std::string(1 + i % 7, static_cast<char>('a' + i % 5)), "b"}, i % 3 == 0 ? 1u : 0u, {}});
  for (const Split split : kSplits)
    write_examples(split_file(folder, split), {.vocabulary = 256, .classes = 2, .sequences = 2},
                   R"({"name":"glue-mrpc"})", examples);
  const auto values = [&](const std::string& batch) {
    const RunConfig config = config_for(
        "glue-mrpc", {"model.code=1-3-1-2", "model.k=2", "eval.best=f1", "eval.batch=" + batch});
    const auto data = open_task(config, workspace());
    Trainer trainer(config, *data);
    for (std::int64_t step = 1; step < 7; ++step) trainer.step(step);
    std::map<std::string, double> all;
    for (const auto& [name, value] : trainer.metrics(Split::kTest)) all[name] = value;
    return std::pair(all["test.f1"], all["test.mcc"]);
  };
  // F1 and the correlation by their definitions, of the examples one by one.
  const RunConfig config =
      config_for("glue-mrpc", {"model.code=1-3-1-2", "model.k=2", "eval.best=f1"});
  const auto data = open_task(config, workspace());
  Trainer trainer(config, *data);
  for (std::int64_t step = 1; step < 7; ++step) trainer.step(step);
  std::array<std::array<double, 2>, 2> counts{};  // by label, by prediction
  for (std::uint32_t i = 0; i < 40; ++i) {
    const at::NoGradGuard raw;
    Dropout none;
    const std::vector<std::uint32_t> one = {i};
    const Batch batch = data->batch(Split::kTest, one);
    const Score score = head_of(trainer.model().plan())
                            .score(trainer.model(), trainer.model().hidden(batch.inputs, none),
                                   batch, Precision::kFloat32);
    const bool label = i % 3 == 0, right = score[Sum::kRight] == 1;
    ++counts[label][right ? label : !label];
  }
  const auto [tn, fp] = counts[0];
  const auto [fn, tp] = counts[1];
  EXPECT_GT(tp * fp * fn * tn, 0);
  EXPECT_DOUBLE_EQ(values("40").first, 2 * tp / (2 * tp + fp + fn));
  EXPECT_DOUBLE_EQ(values("40").second,
                   (tp * tn - fp * fn) / std::sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)));
  EXPECT_EQ(values("1"), values("40"));
  EXPECT_EQ(values("7"), values("40"));
}

TEST_F(SetDataTest, RefusesWhatIsTooLongOrOfAnotherKind) {
  make("lra-listops", {50, 5, 5}, workspace());
  EXPECT_THROW(
      open_task(config_for("lra-listops", {"model.code=ssm", "task.length=10"}), workspace()),
      std::invalid_argument);
  EXPECT_THROW(open_task(config_for("nss"), workspace()), std::invalid_argument);
}

TEST_F(SetDataTest, RefusesMoreClassesThanTheTaskHas) {
  const fs::path folder = workspace() / "data" / "few";
  fs::create_directories(folder);
  const auto refusal = [&](std::uint32_t classes) {
    for (const Split split : kSplits)
      write_examples(split_file(folder, split),
                     {.vocabulary = 256, .classes = classes, .sequences = 2},
                     R"({"name":"glue-mnli"})", {{{"a", "d"}, 0, {}}, {{"b", "c"}, 1, {}}});
    return message_of([&] { open_task(config_for("glue-mnli"), workspace()); });
  };
  EXPECT_EQ(refusal(3), "");
  EXPECT_TRUE(has(refusal(4), "expected at most 3 classes, got 4"));
}

// A set of other examples under a task's own name would have the run id of the default set.
TEST_F(SetDataTest, WithoutANameIsTheTasksOwnData) {
  const auto refusal = [&](const char* task, const char* recipe) {
    const fs::path folder = workspace() / "data" / task;
    fs::rename(workspace() / "data" / "few", folder);
    if (*recipe != 0)
      for (const Split split : kSplits)
        write_examples(split_file(folder, split), {.vocabulary = 256, .classes = 3, .sequences = 2},
                       recipe, {{{"a", "b"}, 0, {}}});
    return message_of([&] {
      open_task(config_for(task, {"model.code=ssm", "task.data=''"}), workspace());
    });
  };
  make("lra-listops", {50, 5, 5}, workspace());
  EXPECT_TRUE(has(refusal("lra-listops", ""), "expected the default data set, got another one"));
  fs::create_directory(workspace() / "data" / "few");
  EXPECT_TRUE(has(refusal("glue-mnli", R"({"name":"glue-rte"})"),
                  "expected the default data set, got another one"));
  fs::rename(workspace() / "data" / "glue-mnli", workspace() / "data" / "few");
  EXPECT_EQ(refusal("glue-mnli", R"({"name":"glue-mnli"})"), "");
}

TEST_F(SetDataTest, TrainsPicturesAndTheToys) {
  for (const char* task : {"lra-pathfinder", "sounds", "nss", "pythagorean", "etc"}) {
    scratch_.emplace();
    make(task, {20, 4, 4}, workspace());
    const RunConfig config = config_for(task);
    const DataFile file((workspace() / "data/few/test.set").string());
    const std::vector<std::uint32_t> which = {2, 1};
    const Batch batch = open_task(config, workspace())->batch(Split::kTest, which);
    const bool bytes = file.shape().element == Element::kByte;
    const double value = value_of(file.sequence(1), file.shape().element, 5) / (bytes ? 255 : 1);
    EXPECT_NEAR(batch.inputs.values[1].flatten()[5].item<double>(),
                (value - config.real("task.mean"_key)) / config.real("task.deviation"_key), 1e-5)
        << task;
    if (const std::int64_t at = set_facts(config).position; at >= 0) {
      EXPECT_TRUE(batch.rows.equal(at::tensor({at, batch.inputs.length() + at}, at::kLong)));
    }
    EXPECT_EQ(train(config_for(task), workspace()), RunState::kDone) << task;
    // Unequal parts of an epoch have its mean loss.
    const RunConfig epoch =
        config_for(task, {"model.code=1-3-1-2", "model.k=2", "model.dropout=0",
                          "model.embedding_dropout=0", "optim.batch=24", "optim.accumulate=3"});
    const auto data = open_task(epoch, workspace());
    Trainer trainer(epoch, *data);
    const double mean = trainer.evaluate(Split::kTrain).mean(Sum::kLoss);
    EXPECT_NEAR(trainer.step(1).loss, mean, 1e-5 * mean) << task;
  }
}

// Color pictures of 8 x 8 pixels whose class is the bright channel.
void put_colours(const fs::path& folder) {
  const DataShape shape{
      .channels = 3, .vocabulary = 256, .classes = 10, .length = 64, .rows = 8, .columns = 8};
  fs::create_directories(folder);
  for (const Split split : kSplits) {
    std::vector<NewExample> examples;
    for (std::uint32_t i = 0; i < 24; ++i) {
      std::string pixels;
      for (std::uint32_t at = 0; at < 192; ++at)
        pixels += static_cast<char>(at % 3 == i % 3 ? 200 + at % 50 : (at * 7 + i) % 90);
      examples.push_back({{pixels}, i % 3, {}});
    }
    write_examples(split_file(folder, split), shape, R"({"name":"colours"})", examples);
  }
}

const std::vector<std::string> kAllAugmentations = {
    "model.code=1-3-1-2",  "model.k=2",       "task.patch=4",
    "optim.smoothing=0.1", "optim.mixup=0.8", "optim.cutmix=1",
    "optim.erase=0.5",     "optim.repeats=3", "model.depth_dropout=0.2"};

TEST_F(SetDataTest, CutsPicturesIntoPatches) {
  put_colours(workspace() / "data" / "few");
  const auto data = open_task(
      config_for("cifar-10", {"model.code=ssm", "task.patch=4", "task.length=4"}), workspace());
  const DataFile file((workspace() / "data/few/test.set").string());
  const std::vector<std::uint32_t> which = {5};
  const at::Tensor values = data->batch(Split::kTest, which).inputs.values;
  EXPECT_EQ(values.sizes(), (std::vector<std::int64_t>{1, 4, 48}));
  const double pixel = value_of(file.sequence(5), Element::kByte, (5 * 8 + 6) * 3 + 2);
  EXPECT_NEAR(values[0][3][(1 * 4 + 2) * 3 + 2].item<double>(), (pixel / 255 - 0.48) / 0.24, 1e-5);
  for (const char* wrong : {"task.patch=3", "task.patch=16", "task.length=3"})
    EXPECT_THROW(
        open_task(config_for("cifar-10", {"model.code=ssm", "task.patch=4", wrong}), workspace()),
        std::invalid_argument)
        << wrong;
}

TEST_F(SetDataTest, RepeatsTheFirstExamplesOfAnEpoch) {
  put_colours(workspace() / "data" / "few");
  const OrderRequest request{.batch = 8, .epoch = 4};
  const auto order = [&](const char* repeats) {
    return open_task(config_for("cifar-10", {"model.code=ssm", repeats}), workspace())
        ->training_order(request);
  };
  const std::vector<std::uint32_t> once = order("optim.repeats=1"), some = order("optim.repeats=5");
  ASSERT_EQ(some.size(), once.size());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i], once[i / 5]) << i;
}

// Parts of a step are cut from equally mixed examples.
TEST_F(SetDataTest, MixesAStepsExamplesAndNeverThoseOfAnEvaluation) {
  put_colours(workspace() / "data" / "few");
  const auto plain = open_task(config_for("cifar-10", {"model.code=ssm"}), workspace());
  const auto mixed =
      open_task(config_for("cifar-10", {"model.code=ssm", "optim.mixup=0.8"}), workspace());
  const std::vector<std::uint32_t> step = {1, 2, 3, 4, 5, 6};
  const Batch whole = mixed->training_batch({step, 0, 6, 9}),
              half = mixed->training_batch({step, 3, 3, 9});
  EXPECT_TRUE(whole.inputs.values.narrow(0, 3, 3).equal(half.inputs.values));
  EXPECT_TRUE(whole.shares.narrow(0, 3, 3).equal(half.shares));
  const at::Tensor x = plain->batch(Split::kTrain, step).inputs.values;
  const double share = whole.shares[0][1].item<double>();  // of example 1; its other is of class 0
  EXPECT_NEAR(whole.shares[0][0].item<double>(), 1 - share, 1e-6);
  EXPECT_TRUE(at::allclose(whole.inputs.values, share * x + (1 - share) * x.flip(0), 1e-5, 1e-5));
  EXPECT_TRUE(mixed->batch(Split::kTrain, step).inputs.values.equal(x));
  EXPECT_FALSE(mixed->batch(Split::kTrain, step).shares.defined());

  // The fourth step is the first of its epoch.
  const RunConfig config =
      config_for("cifar-10", {"model.code=ssm", "optim.mixup=0.8", "model.dropout=0"});
  Trainer trainer(config, *mixed);
  for (std::int64_t n = 1; n < 4; ++n) trainer.step(n);
  const auto order = mixed->training_order({.batch = 8, .epoch = 1});
  const Batch fourth = mixed->training_batch({std::span(order).first(8), 0, 8, 4, 1});
  Dropout none;
  const double loss = head_of(trainer.model().plan())
                          .loss(trainer.model(), trainer.model().hidden(fourth.inputs, none),
                                fourth, Precision::kFloat32, 1. / 8)
                          .item<double>();
  EXPECT_NEAR(trainer.step(4).loss, loss, 1e-5 * loss);
  EXPECT_LT(loss, 2 * std::log(10)) << "a mean";

  // Each example is erased at its own place of the step, wherever it is mixed in.
  const auto erased = [&](const char* mixup, std::size_t first) {
    const RunConfig erasing = config_for("cifar-10", {"model.code=ssm", "optim.erase=0.5", mixup});
    return open_task(erasing, workspace())
        ->training_batch({step, first, 6 - first, 9})
        .inputs.values;
  };
  const at::Tensor all = erased("optim.mixup=0", 0);
  EXPECT_FALSE(all.equal(x));
  EXPECT_TRUE(at::allclose(erased("optim.mixup=0.8", 3),
                           (share * all + (1 - share) * all.flip(0)).narrow(0, 3, 3), 1e-5, 1e-5));
}

TEST_F(SetDataTest, KilledAnywhereItEndsTheSameWithEveryAugmentation) {
  put_colours(workspace() / "data" / "few");
  expect_exact_resume(config_for("cifar-10", kAllAugmentations), workspace(), 25, 2);
}

TEST_F(SetDataTest, ReadingAheadChangesNoBit) {
  make("lra-listops", {50, 5, 5}, workspace());
  std::set<std::string> outcomes;
  for (const char* depth : {"run.prefetch=0", "run.prefetch=1", "run.prefetch=9"}) {
    const RunConfig config = config_for("lra-listops", {"model.code=1-3-1-2", "model.k=2", depth});
    EXPECT_EQ(train(config, workspace()), RunState::kDone);
    std::string outcome = outcome_of(workspace(), config);
    const std::size_t at = outcome.find("config.toml");  // it names the depth
    if (at != std::string::npos) outcome.erase(at, outcome.find('\n', at) - at);
    outcomes.insert(outcome);
    fs::remove_all(workspace() / "runs");
  }
  EXPECT_EQ(outcomes.size(), 1u);
}

TEST_F(SetDataTest, KilledAnywhereItEndsTheSame) {
  make("lra-listops", {50, 5, 5}, workspace());
  expect_exact_resume(config_for("lra-listops"), workspace(), 7, 6);
}

}  // namespace
}  // namespace runner
