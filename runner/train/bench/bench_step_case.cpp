#include "runner/train/bench/bench_step_case.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <cmath>

#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "lcsm/measure/peak_memory.h"
#include "lcsm/tensors/product.h"
#include "runner/base/process/steady_time.h"
#include "runner/base/random/random.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/tasks/example_order.h"
#include "runner/data/tasks/text_task.h"
#include "runner/models/families/on_a_gpu.h"
#include "runner/systems/system.h"
#include "runner/train/device/step_graphs.h"

namespace runner {
namespace {

using at::Tensor;

constexpr std::int64_t kUnscored = -100;

// Uniformly random tokens: the content does not change the time of a step.
class AnyTokens : public TaskData {
 public:
  AnyTokens(std::int64_t vocab, std::int64_t length, std::uint64_t seed)
      : vocab_(vocab), length_(length), seed_(seed) {}

  std::int64_t vocab() const override { return vocab_; }
  std::int64_t examples(Split) const override { return 1 << 14; }

  Batch batch(Split split, std::span<const std::uint32_t> which) override {
    const auto B = static_cast<std::int64_t>(which.size());
    const Tensor tokens = at::full({B, length_ + 1}, 0, at::kLong);
    auto* at = tokens.mutable_data_ptr<std::int64_t>();
    for (const std::uint32_t example : which) {
      RandomStream random(seed_, split, example);
      for (std::int64_t t = 0; t <= length_; ++t)
        *at++ = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vocab_)));
    }
    return {
        {tokens.narrow(1, 0, length_).contiguous()}, {}, tokens.narrow(1, 1, length_).flatten()};
  }

 private:
  std::int64_t vocab_, length_;
  std::uint64_t seed_;
};

std::unique_ptr<TaskData> open_any_tokens(const RunConfig& config, const std::filesystem::path&) {
  return std::make_unique<AnyTokens>(text_vocabulary(config).value,
                                     config.integer("task.length"_key), 1);
}

// The peak allocation of a trainer alone after two steps. It reads its data in one thread, since
// allocations are counted only while no other thread makes any.
std::int64_t peak_of_training(const StepTask& task, const std::string& model,
                              std::vector<std::string> settings) {
  settings.emplace_back("run.prefetch=0");
  const RunConfig config = step_config(task, model, settings);
  const auto data = task.open(config, {});
  const lcsm::PeakMemory memory;
  Trainer trainer(config, *data);
  for (const int n : {1, 2}) trainer.step(n);
  return memory.peak();
}

// One model, trained by our trainer and by the plain loop, each with its own weights.
class Entry {
 public:
  Entry(const StepTask& task, const std::string& model, const std::vector<std::string>& settings,
        bool alone, const ComputeDevice& device)
      : config_(step_config(task, model, settings)) {
    result_.model = model;
    double start = steady_seconds();
    data_ = task.open(config_, {});
    result_.data_seconds = steady_seconds() - start;
    if (device.gpu) check_for_gpu(plan_model(config_, data_->vocab()));
    start = steady_seconds();
    trainer_ = std::make_unique<Trainer>(config_, *data_, device);
    result_.model_seconds = steady_seconds() - start;
    start = steady_seconds();
    const double ours = trainer_->step(1).loss;
    result_.first_step_seconds = steady_seconds() - start;
    result_.parameters = count_of(trainer_->model().plan()).total();
    if (!device.gpu) result_.peak_bytes = peak_of_training(task, model, settings);
    if (alone) return;
    plain_ = std::make_unique<PlainStep>(config_, *data_, device);
    const double theirs = (*plain_)(1);
    result_.loss_difference = std::abs(ours - theirs) / theirs;
    // Thousands of rows are summed in a different order.
    if (!(result_.loss_difference < 1e-4))
      throw std::runtime_error(
          fmt::format("bench step: expected equal first losses of {} on {}, got {} from the "
                      "trainer and {} from the plain loop",
                      model, task.name, ours, theirs));
  }

  void take_turn() {
    ++n_;
    double start = steady_seconds();
    const StepFacts facts = trainer_->step(n_);
    result_.ours.push_back(steady_seconds() - start);
    result_.times.push_back(facts.times);
    if (!plain_) return;
    start = steady_seconds();
    (*plain_)(n_);
    result_.plain.push_back(steady_seconds() - start);
  }

  void profile(int steps) {
    const StepProfile profile;
    const double start = steady_seconds();
    for (int i = 0; i < steps; ++i) trainer_->step(++n_);
    result_.profiled_seconds = steady_seconds() - start;
    result_.profile = profile.rows();
  }

  const StepResult& result() const { return result_; }

 private:
  RunConfig config_;
  std::unique_ptr<TaskData> data_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<PlainStep> plain_;
  std::int64_t n_ = 1;
  StepResult result_;
};

}  // namespace

const std::vector<StepTask>& step_tasks() {
  static const std::vector<StepTask> tasks = {
      {"mqar",
       "associative recall, zoology's skeleton",
       {"task.name=mqar", "task.vocab=8192", "task.length=64", "task.pairs=4", "model.d=64",
        "model.k=64", "model.layers=2", "optim.batch=64"},
       open_mqar},
      {"text",
       "a language model of random tokens",
       {"task.name=text", "task.tokens=bytes", "task.length=256", "model.d=128", "model.k=32",
        "model.layers=4", "optim.batch=16"},
       open_any_tokens},
  };
  return tasks;
}

const StepTask& step_task(const std::string& name) {
  if (const auto* const task = lcsm::row_named(step_tasks(), name); task != nullptr) return *task;
  throw std::invalid_argument(fmt::format("bench step: --task expects one of {}, got '{}'",
                                          lcsm::joined_of(step_tasks(), &StepTask::name), name));
}

RunConfig step_config(const StepTask& task, const std::string& model,
                      const std::vector<std::string>& settings) {
  std::vector<std::string> all = task.settings;
  if (model == "attention")
    all.insert(all.end(), {"model.family=attention", "model.heads=1"});
  else if (system_named(model.substr(0, model.find('@'))) != nullptr)
    all.push_back("model.system=" + model);
  else
    all.push_back("model.code=" + model);
  // The plain loop has no dropout.
  all.insert(all.end(), {"model.dropout=0", "model.embedding_dropout=0"});
  all.insert(all.end(), settings.begin(), settings.end());
  return parse_config("", "", all, [](const std::string&) {});
}

PlainStep::PlainStep(const RunConfig& config, TaskData& data, const ComputeDevice& device)
    : config_(config),
      data_(data),
      device_(device),
      model_(make_model(config, data.vocab(), at::TensorOptions(at::kFloat).device(device.memory))),
      course_(config, data.examples(Split::kTrain)),
      order_(example_order(config.is("task.order"_key, "shuffled"),
                           static_cast<std::uint32_t>(data.examples(Split::kTrain)),
                           static_cast<std::uint64_t>(config.integer("seed"_key)), 0)) {
  model_.compute_on(
      {config.system() ? lcsm::Backend::kReference : lcsm::Backend::kMachine, device_.gpu});
  for (const ModelParameter& each : model_.parameters())
    if (each.trained) {
      weights_.push_back(each.tensor);
      means_.push_back(at::zeros_like(each.tensor));
      squares_.push_back(at::zeros_like(each.tensor));
    }
}

double PlainStep::operator()(std::int64_t n) {
  const lcsm::ProductsBy libtorch(lcsm::Products::kLibTorch);
  const StepExamples examples = course_.examples_of(n);
  const Batch batch =
      moved(data_.batch(Split::kTrain,
                        std::span(order_).subspan(static_cast<std::size_t>(examples.first),
                                                  static_cast<std::size_t>(examples.count))),
            device_.memory);
  Dropout training(0, static_cast<std::uint64_t>(n));  // of no share; norms see that it trains
  const Tensor logits = model_.logits(model_.hidden(batch.inputs, training)).flatten(0, 1);
  Tensor targets = batch.targets;
  if (batch.rows.defined()) {
    targets = at::full({logits.size(0)}, kUnscored, batch.targets.options());
    targets.index_put_({batch.rows}, batch.targets);
  }
  const Tensor loss =
      at::cross_entropy_loss(logits, targets, std::nullopt, at::Reduction::Mean, kUnscored);
  for (Tensor& weight : weights_) weight.mutable_grad().reset();
  loss.backward();
  const double value = loss.item<double>();
  update(n);
  return value;
}

void PlainStep::update(std::int64_t n) {
  const at::NoGradGuard raw;
  const double b1 = config_.real("optim.beta1"_key), b2 = config_.real("optim.beta2"_key),
               rate = course_.rate(n), steps = static_cast<double>(n);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const Tensor& g = weights_[i].grad();
    weights_[i].mul_(1 - rate * config_.real("optim.decay"_key));
    means_[i].lerp_(g, 1 - b1);
    squares_[i].mul_(b2).addcmul_(g, g, 1 - b2);
    const Tensor size = squares_[i]
                            .sqrt()
                            .div_(std::sqrt(1 - std::pow(b2, steps)))
                            .add_(config_.real("optim.eps"_key));
    weights_[i].addcdiv_(means_[i], size, -rate / (1 - std::pow(b1, steps)));
  }
}

std::vector<StepResult> bench_steps(const StepTask& task, const std::vector<std::string>& models,
                                    const std::vector<std::string>& settings,
                                    const StepBench& how) {
  std::vector<std::unique_ptr<Entry>> entries;
  for (const std::string& model : models)
    entries.push_back(std::make_unique<Entry>(task, model, settings, how.alone, how.device));
  const double start = steady_seconds();
  for (int round = 0; round < 3 || steady_seconds() - start < how.budget; ++round)
    for (const auto& entry : entries) entry->take_turn();
  std::vector<StepResult> results;
  for (const auto& entry : entries) {
    if (how.profiled_steps > 0) entry->profile(how.profiled_steps);
    results.push_back(entry->result());
  }
  return results;
}

}  // namespace runner
