#include "runner/train/trainer/trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>

#include "lcsm/measure/peak_memory.h"
#include "runner/base/process/run_end.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/data/tasks/example_order.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

using at::Tensor;

RunConfig trainer_config_of(const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings = {
      "task.name=mqar", "model.code=1-9-1-4", "task.vocab=16",        "task.length=8",
      "task.pairs=2",   "task.train=21",      "task.valid=7",         "task.test=7",
      "model.d=8",      "model.k=4",          "model.dropout=0.1",    "optim.batch=8",
      "optim.epochs=4", "optim.lr=0.01",      "optim.schedule=cosine"};
  settings.insert(settings.end(), more.begin(), more.end());
  return parse_config("", "", settings, [](const std::string&) {});
}

// The reference training as a plain loop: all logits, LibTorch's cross-entropy, textbook AdamW in
// float64. Only the model, the dropout and the order of the examples are the trainer's.
std::vector<double> plain_losses(const RunConfig& config, int steps) {
  const auto data = open_task(config, {});
  const Model model = make_model(config, data->vocab());
  std::vector<Tensor> weights, m, v;
  for (const ModelParameter& each : model.parameters())
    if (each.trained) weights.push_back(each.tensor);
  for (const Tensor& weight : weights) {
    m.push_back(at::zeros_like(weight, at::kDouble));
    v.push_back(at::zeros_like(weight, at::kDouble));
  }
  std::vector<double> losses;
  for (int n = 1; n <= steps; ++n) {
    const int epoch = (n - 1) / 3, first = (n - 1) % 3 * 8;
    std::vector<std::uint32_t> order =
        example_order(true, 21, static_cast<std::uint64_t>(config.integer("seed"_key)),
                      static_cast<std::uint64_t>(epoch));
    const Batch batch = data->batch(
        Split::kTrain, std::span(order).subspan(static_cast<std::size_t>(first),
                                                static_cast<std::size_t>(std::min(8, 21 - first))));
    Dropout dropout(1, static_cast<std::uint64_t>(n));
    const Tensor h = model.hidden(batch.inputs, dropout).flatten(0, 1);
    const Tensor loss = at::cross_entropy_loss(model.logits(h).index({batch.rows}), batch.targets);
    for (Tensor& weight : weights) weight.mutable_grad().reset();
    loss.backward();
    losses.push_back(loss.item<double>());
    double norm = 0;
    for (const Tensor& weight : weights)
      norm += weight.grad().to(at::kDouble).square().sum().item<double>();
    const double clip = config.real("optim.clip"_key), eps = config.real("optim.eps"_key),
                 scale = clip > 0 ? std::min(1., clip / std::sqrt(norm)) : 1;
    const double rate = 0.005 * (1 + std::cos(M_PI * (n - 1) / 12));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Tensor g = weights[i].grad().to(at::kDouble) * scale;
      m[i] = m[i] * 0.9 + g * 0.1;
      v[i] = v[i] * 0.999 + g * g * 0.001;
      Tensor x = weights[i].detach().to(at::kDouble) * (1 - rate * 0.1);
      x = x -
          m[i] / (1 - std::pow(0.9, n)) / ((v[i] / (1 - std::pow(0.999, n))).sqrt() + eps) * rate;
      weights[i].detach().copy_(x);
    }
  }
  return losses;
}

// Ten steps of float32 that round differently: their losses, of order 3, stay within 1e-5. The
// last five examples of an epoch have parts of 2, 2 and 1.
TEST(Trainer, TakesTheStepsOfAPlainLoop) {
  // Parts draw their dropout one by one.
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"model.dropout=0.1"},
        {"optim.accumulate=4", "model.dropout=0"},
        {"optim.clip=0.5", "optim.eps=0.1", "model.dropout=0.1"}}) {
    std::vector<std::string> settings = more;
    settings.emplace_back("model.embedding_dropout=0");
    const RunConfig config = trainer_config_of(settings);
    const std::vector<double> wanted = plain_losses(config, 10);
    const auto data = open_task(config, {});
    Trainer trainer(config, *data);
    for (int n = 1; n <= 10; ++n)
      EXPECT_NEAR(trainer.step(n).loss, wanted[static_cast<std::size_t>(n - 1)], 1e-5) << n;
    EXPECT_LT(wanted.back(), wanted.front());
  }
}

TEST(Trainer, ScoresASplitAsItsParts) {
  const RunConfig config = trainer_config_of(), one = trainer_config_of({"eval.batch=1"});
  const auto data = open_task(config, {});
  Trainer all(config, *data), single(one, *data);
  const Score a = all.evaluate(Split::kValid), b = single.evaluate(Split::kValid);
  EXPECT_EQ(a[Sum::kCount], 14);
  EXPECT_EQ(b[Sum::kCount], 14);
  EXPECT_EQ(a[Sum::kRight], b[Sum::kRight]);
  EXPECT_NEAR(a[Sum::kLoss], b[Sum::kLoss], 1e-4);
  // Without dropout the bits are equal again.
  EXPECT_EQ(all.evaluate(Split::kValid)[Sum::kLoss], a[Sum::kLoss]);
}

TEST(Trainer, ScoresAsManyExamplesAsItIsAllowed) {
  const RunConfig three = trainer_config_of({"eval.examples=3"}),
                  many = trainer_config_of({"eval.examples=100"});
  const auto data = open_task(three, {});
  EXPECT_EQ(Trainer(three, *data).evaluate(Split::kValid)[Sum::kCount], 6);
  EXPECT_EQ(Trainer(many, *data).evaluate(Split::kValid)[Sum::kCount], 14);
}

// eval.batch is the same in all. Two examples have the 8192 tokens that are always computed at
// once.
TEST(Trainer, EvaluatesAsManyExamplesAtOnceAsItLearnsFrom) {
  const auto peak = [](std::vector<std::string> more) {
    more.insert(more.end(),
                {"task.vocab=5000", "task.length=4096", "task.valid=8", "run.prefetch=0"});
    const RunConfig config = trainer_config_of(more);
    const auto data = open_task(config, {});
    Trainer trainer(config, *data);
    const lcsm::PeakMemory memory;
    trainer.evaluate(Split::kValid);
    return memory.peak();
  };
  const std::int64_t two = peak({"optim.batch=1"});
  EXPECT_EQ(peak({"optim.batch=8", "optim.accumulate=4"}), two);
  EXPECT_GT(peak({"optim.batch=8"}), 2 * two);
}

TEST(Trainer, StopsBeforeItLearnsFromNaN) {
  const RunConfig config = trainer_config_of();
  const auto data = open_task(config, {});
  Trainer trainer(config, *data);
  trainer.step(1);
  NamedTensors weights = trainer.weights();
  weights["embedding.weight"] = weights["embedding.weight"].clone();
  weights["embedding.weight"][3][2] = std::nan("");
  trainer.load_weights(weights);
  const Tensor before = trainer.weights()["final_norm.weight"].clone();
  try {
    trainer.step(2);
    FAIL() << "it continued";
  } catch (const RunFailure& failure) {
    EXPECT_EQ(failure.end(), results::RunState::kDiverged);
    EXPECT_NE(std::string(failure.what()).find("step 2"), std::string::npos);
  }
  EXPECT_TRUE(trainer.weights()["final_norm.weight"].equal(before));
}

TEST(Trainer, StopsWhenTheLossIsFarAboveGuessing) {
  const RunConfig config = trainer_config_of();
  const auto data = open_task(config, {});
  Trainer trainer(config, *data);
  NamedTensors weights = trainer.weights();
  weights["final_norm.weight"] = weights["final_norm.weight"] * 1e5;
  trainer.load_weights(weights);
  EXPECT_THROW(trainer.step(1), RunFailure);
}

// One step has all examples, so that its loss is known.
TEST(Trainer, StopsAtTenTimesTheLossOfGuessing) {
  const RunConfig config =
      trainer_config_of({"optim.batch=21", "model.dropout=0", "model.embedding_dropout=0"});
  const auto data = open_task(config, {});
  std::set<bool> stops;
  for (double scale = 1; scale < 1e4; scale *= 1.5) {
    Trainer trainer(config, *data);
    NamedTensors weights = trainer.weights();
    weights["final_norm.weight"] = weights["final_norm.weight"] * scale;
    trainer.load_weights(weights);
    const double loss = trainer.evaluate(Split::kTrain).mean(Sum::kLoss);
    bool stopped = false;
    try {
      EXPECT_NEAR(trainer.step(1).loss, loss, 1e-5 * loss);
    } catch (const RunFailure&) {
      stopped = true;
    }
    EXPECT_EQ(stopped, loss > 10 * std::log(16)) << loss;
    stops.insert(stopped);
  }
  EXPECT_EQ(stops.size(), 2u);
}

TEST(Trainer, RefusesWeightsOfAnotherModel) {
  const RunConfig config = trainer_config_of(), wider = trainer_config_of({"model.d=12"});
  const auto data = open_task(config, {});
  Trainer trainer(config, *data), other(wider, *data);
  EXPECT_THROW(trainer.load_weights(other.weights()), std::invalid_argument);
  EXPECT_THROW(trainer.load_weights({}), std::invalid_argument);
}

// A text of 90 lines to train on, and 5 and 5.
class ConsecutiveTrainer : public testing::Test {
 protected:
  ConsecutiveTrainer() {
    std::ofstream text(scratch_.path() / "input.txt");
    for (int i = 100; i < 200; ++i) text << "line " << i * i * 7 << "\n";
  }

  RunConfig config_of(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> settings = {"task.name=tiny-shakespeare",
                                         "task.path=" + scratch_.path().string(),
                                         "task.length=16",
                                         "task.order=consecutive",
                                         "model.skeleton=source",
                                         "model.d=16",
                                         "model.layers=2",
                                         "model.system=transformer-xl@heads=2,memory=1000",
                                         "optim.batch=8",
                                         "optim.steps=20",
                                         "optim.lr=0.003",
                                         "optim.warmup=2",
                                         "model.dropout=0"};
    settings.insert(settings.end(), more.begin(), more.end());
    return parse_config("", "", settings, [](const std::string&) {});
  }

  std::vector<double> losses_of(const std::vector<std::string>& more) const {
    const RunConfig config = config_of(more);
    const auto data = open_task(config, scratch_.path());
    Trainer trainer(config, *data);
    std::vector<double> losses;
    for (int n = 1; n <= 20; ++n) losses.push_back(trainer.step(n).loss);
    return losses;
  }

  const ScratchFolder scratch_;
};

// Parts of a batch have rows of the memory; the last batch of an epoch has fewer of them.
TEST_F(ConsecutiveTrainer, CarriesTheMemoryOfEachRow) {
  const std::vector<double> whole = losses_of({}), parts = losses_of({"optim.accumulate=4"}),
                            none = losses_of({"model.system=transformer-xl@heads=2,memory=0"});
  for (std::size_t n = 0; n < whole.size(); ++n) EXPECT_NEAR(whole[n], parts[n], 1e-4) << n;
  EXPECT_NEAR(whole[0], none[0], 1e-6) << "the first segments have no memory";
  EXPECT_GT(std::abs(whole[1] - none[1]), 1e-6);
}

// 1200 streams of three segments, 512 at once or all.
TEST_F(ConsecutiveTrainer, EvaluatesStreamsInParts) {
  std::ofstream text(scratch_.path() / "input.txt");
  for (int i = 10000; i < 16000; ++i) text << "line " << i << "\n";
  text.close();
  const auto loss_of = [this](std::vector<std::string> more) {
    more.insert(more.end(), {"eval.batch=1200"});
    const RunConfig config = config_of(more);
    const auto data = open_task(config, scratch_.path());
    return Trainer(config, *data).evaluate(Split::kTrain)[Sum::kLoss];
  };
  const double whole = loss_of({"optim.batch=1200"}),
               none = loss_of({"optim.batch=1200", "model.system=transformer-xl@heads=2,memory=0"});
  EXPECT_NEAR(loss_of({"optim.batch=1"}), whole, 2e-7 * whole);
  EXPECT_GT(std::abs(none - whole), 2e-6 * whole);
}

// One stream with a memory as long as the text is one sequence.
TEST_F(ConsecutiveTrainer, EvaluatesATextAsOneSequence) {
  const RunConfig segments = config_of({"eval.batch=1"}),
                  whole = config_of({"eval.batch=1", "task.length=200"}),
                  limited = config_of({"eval.batch=1", "eval.examples=2"});
  const auto short_data = open_task(segments, scratch_.path()),
             long_data = open_task(whole, scratch_.path());
  Trainer a(segments, *short_data), b(whole, *long_data), c(limited, *short_data);
  ASSERT_EQ(short_data->examples(Split::kTest), 3);
  ASSERT_EQ(long_data->examples(Split::kTest), 1);
  b.load_weights(a.weights());
  const Score got = a.evaluate(Split::kTest), expected = b.evaluate(Split::kTest);
  EXPECT_EQ(got[Sum::kCount], expected[Sum::kCount]);
  EXPECT_NEAR(got[Sum::kLoss], expected[Sum::kLoss], 1e-4);
  EXPECT_EQ(c.evaluate(Split::kTest)[Sum::kCount], 32) << "the first two segments";
}

}  // namespace
}  // namespace runner
