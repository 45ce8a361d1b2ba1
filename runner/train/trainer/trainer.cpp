#include "runner/train/trainer/trainer.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "lcsm/tensors/rounded.h"
#include "runner/base/process/run_end.h"
#include "runner/base/process/steady_time.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/tasks/example_order.h"
#include "runner/train/trainer/translation.h"

namespace runner {
namespace {

std::uint64_t seed_of(const RunConfig& config) {
  return static_cast<std::uint64_t>(config.integer("seed"_key));
}

// Seconds since the last call.
class Lap {
 public:
  double operator()() {
    const double before = std::exchange(last_, steady_seconds());
    return last_ - before;
  }

 private:
  double last_ = steady_seconds();
};

// The number of examples to evaluate at once. They fit into memory: they have as many tokens as a
// part of a training step, or kFewTokens.
std::int64_t examples_that_fit(const RunConfig& config) {
  constexpr std::int64_t kFewTokens = 8192;
  const std::int64_t parts = config.integer("optim.accumulate"_key),
                     rows = (config.integer("optim.batch"_key) + parts - 1) / parts,
                     length = config.integer("task.length"_key),
                     tokens = rows * std::max(length, config.integer("task.bundle"_key));
  return std::max(tokens / length, kFewTokens / length);
}

// Weights and biases of products, but for the embedding.
lcsm::Tensors of_products(const Model& model) {
  std::map<std::string, bool> multiplies;  // by the name without its end
  const auto stem = [](const std::string& name) { return name.substr(0, name.rfind('.')); };
  for (const ModelParameter& each : model.parameters())
    if (each.name.ends_with(".weight")) multiplies[stem(each.name)] = each.tensor.dim() == 2;
  lcsm::Tensors found;
  for (const ModelParameter& each : model.parameters())
    if ((each.name.ends_with(".weight") || each.name.ends_with(".bias")) &&
        multiplies[stem(each.name)] && !each.tensor.is_same(model.embedding()))
      found.push_back(each.tensor);
  return found;
}

}  // namespace

Trainer::Trainer(const RunConfig& config, TaskData& data, const ComputeDevice& device)
    : config_(config),
      data_(data),
      device_(device),
      model_(make_model(config, data.vocab(), at::TensorOptions(at::kFloat).device(device.memory))),
      optimizer_(config, model_.parameters(), device.gpu),
      course_(config, data.examples(Split::kTrain)),
      head_(head_of(model_.plan())),
      precision_(precision_of(config)),
      consecutive_(config.is("task.order"_key, "consecutive")),
      prefetch_([this](std::int64_t n) { return parts_of(n); },
                data.prefetches() ? config.integer("run.prefetch"_key) : 0, course_.steps()) {
  model_.compute_on(device_.gpu);
  if (!device_.gpu) return;
  back_.emplace(device_.gpu, 2);
  // A captured step could not read the carried state of the last step, nor count the tokens of a
  // band.
  graphs_.emplace(device_, config.is("run.graphs"_key, "on") && !consecutive_ && !model_.banded());
  numbers_ = at::empty({2}, at::TensorOptions(at::kDouble).device(device.memory));
}

const std::vector<std::uint32_t>& Trainer::order_of(std::int64_t epoch) {
  if (epoch != order_epoch_) {
    order_ = data_.training_order({config_.is("task.order"_key, "shuffled"), consecutive_,
                                   static_cast<std::size_t>(config_.integer("optim.batch"_key)),
                                   seed_of(config_), static_cast<std::uint64_t>(epoch)});
    order_epoch_ = epoch;
  }
  return order_;
}

// A step's examples in equal parts; the last may be smaller.
std::vector<Batch> Trainer::parts_of(std::int64_t step) {
  const StepExamples examples = course_.examples_of(step);
  const std::span<const std::uint32_t> all = std::span(order_of(examples.epoch))
                                                 .subspan(static_cast<std::size_t>(examples.first),
                                                          static_cast<std::size_t>(examples.count));
  const auto parts = static_cast<std::size_t>(config_.integer("optim.accumulate"_key)),
             size = (all.size() + parts - 1) / parts;
  std::vector<Batch> batches;
  for (std::size_t at = 0; at < all.size(); at += size)
    batches.push_back(data_.training_batch({all, at, std::min(size, all.size() - at),
                                            static_cast<std::uint64_t>(step),
                                            static_cast<std::uint64_t>(examples.epoch)}));
  return batches;
}

// [B, T, d]
at::Tensor Trainer::hidden(const Batch& batch, Dropout& dropout, Carried* carried) const {
  const Autocast autocast(precision_, device_.memory.type());
  std::optional<lcsm::RoundedWeights> rounded;  // a CPU has no launches to save
  if (device_.gpu && precision_ == Precision::kBFloat16) rounded.emplace(of_products(model_));
  return model_.hidden(batch.inputs, dropout, consecutive_ ? carried : nullptr);
}

StepFacts Trainer::step(std::int64_t n) {
  Lap lap;
  StepFacts facts;
  const std::vector<Batch> parts = prefetch_.take(n);
  facts.times.data = lap();
  facts.rate = course_.rate(n);
  if (course_.examples_of(n).first == 0) carried_.clear();
  for (const Batch& part : parts) facts.tokens += part.inputs.positions();
  device_.gpu ? step_on_gpu(n, parts, &facts) : step_here(n, parts, &facts);
  carried_ = std::move(next_);
  return facts;
}

// The sum of the losses, [] float64. Adds to the existing gradients.
at::Tensor Trainer::learn(const std::vector<Batch>& parts, Dropout& dropout, StepTimes* times) {
  Lap lap;
  std::int64_t targets = 0;
  for (const Batch& part : parts) targets += part.targets.size(0);
  at::Tensor sum;
  std::int64_t row = 0;
  std::vector<Carried> after;
  for (const Batch& part : parts) {
    const std::int64_t rows = part.inputs.values.size(0);
    Carried& carried = after.emplace_back(rows_of(carried_, row, rows));
    const at::Tensor h = hidden(part, dropout, &carried);
    row += rows;
    times->forward += lap();
    const at::Tensor loss =
        head_.loss(model_, h, part, precision_, 1 / static_cast<double>(targets));
    times->head += lap();
    loss.backward();
    const at::Tensor wide = loss.detach().to(at::kDouble);
    sum = sum.defined() ? sum + wide : wide;
    times->backward += lap();
  }
  next_ = joined(after);
  return sum;
}

void Trainer::step_here(std::int64_t n, const std::vector<Batch>& parts, StepFacts* facts) {
  Dropout dropout(seed_of(config_), static_cast<std::uint64_t>(n));
  optimizer_.clear_gradients();
  const at::Tensor loss = learn(parts, dropout, &facts->times);
  Lap lap;
  facts->loss = loss.item<double>();
  facts->gradient_norm = optimizer_.collect_gradients(config_.real("optim.clip"_key));
  check(n, *facts);
  optimizer_.step(facts->rate);
  facts->times.update = lap();
}

// The host reads the numbers once all is queued, the update too.
void Trainer::step_on_gpu(std::int64_t n, const std::vector<Batch>& parts, StepFacts* facts) {
  Lap lap;
  graphs_->run(n, parts, facts->rate, [this](const StepInputs& inputs) { queue_step(inputs); });
  back_->queue(numbers_.const_data_ptr<double>());
  const double* const got = back_->wait();
  facts->loss = got[0];
  facts->gradient_norm = got[1];
  facts->times.update = lap();
  check(n, *facts);
}

// The device itself decides whether the step counts, as check() does.
void Trainer::queue_step(const StepInputs& inputs) {
  Dropout dropout(seed_of(config_), device_.gpu, inputs.step);
  StepTimes times;
  optimizer_.clear_gradients();
  numbers_[0].copy_(learn(inputs.parts, dropout, &times));
  optimizer_.queue(
      {numbers_, inputs.rate, config_.real("optim.clip"_key), kTooLarge * head_.guess(model_)});
}

void Trainer::check(std::int64_t n, const StepFacts& facts) const {
  const double guess = head_.guess(model_);
  const auto diverged = [&](const std::string& what) {
    return RunFailure(results::RunState::kDiverged, "step " + std::to_string(n) + ": " + what);
  };
  if (!std::isfinite(facts.loss)) throw diverged("the loss is NaN or infinite");
  if (!std::isfinite(facts.gradient_norm)) throw diverged("the gradient is NaN or infinite");
  if (facts.loss > kTooLarge * guess)
    throw diverged(fmt::format("the loss is {:.4g}, more than ten times the {:.4g} of guessing",
                               facts.loss, guess));
}

// A limit on consecutive examples keeps the first ones.
std::vector<std::uint32_t> Trainer::evaluated(Split split) const {
  const auto most = static_cast<std::uint64_t>(config_.integer("eval.examples"_key));
  if (!consecutive_) return spread_over(data_.evaluation_order(split), most);
  const auto count = static_cast<std::uint64_t>(data_.examples(split));
  return consecutive_order(static_cast<std::uint32_t>(most > 0 ? std::min(most, count) : count),
                           static_cast<std::uint32_t>(config_.integer("eval.batch"_key)));
}

MetricValues Trainer::metrics(Split split) {
  MetricValues values = metrics_of(config_, split, evaluate(split));
  std::vector<std::uint32_t> apart = data_.order_apart(split);
  const auto most = static_cast<std::uint64_t>(config_.integer("eval.examples"_key));
  if (!config_.task().apart.empty() && !apart.empty())
    values.emplace_back(
        std::string(to_string(split)) + "." + std::string(config_.task().apart),
        metric_value("accuracy", evaluate(split, spread_over(std::move(apart), most))));
  return values;
}

Score Trainer::evaluate(Split split, const std::vector<std::uint32_t>& examples) {
  const at::NoGradGuard raw;
  Dropout none;
  const std::span<const std::uint32_t> order = examples;
  const auto size = static_cast<std::size_t>(config_.integer("eval.batch"_key)),
             part = static_cast<std::size_t>(examples_that_fit(config_));
  Score all;
  // Some rows of all batches, then the next: with consecutive examples each continues its own.
  for (std::size_t row = 0; row < size; row += part) {
    Carried carried;
    for (std::size_t first = row; first < order.size(); first += size) {
      const auto rows = order.subspan(first, std::min({part, size - row, order.size() - first}));
      const Batch batch = moved(data_.batch(split, rows), device_.memory);
      carried = rows_of(carried, 0, static_cast<std::int64_t>(rows.size()));
      all += head_.score(model_, hidden(batch, none, &carried), batch, precision_);
      if (data_.sentences() != nullptr)
        all += translation_score(model_, batch.inputs, *data_.sentences(), split, rows);
    }
  }
  return all;
}

NamedTensors Trainer::weights() const {
  NamedTensors weights;
  for (const ModelParameter& each : model_.parameters())
    weights[each.name] = each.tensor.detach().to(at::kCPU);
  return weights;
}

NamedTensors Trainer::optimizer_state() const {
  NamedTensors state = optimizer_.state();
  state.merge(tensors_of(carried_));
  for (auto& [name, tensor] : state) tensor = tensor.to(at::kCPU);
  return state;
}

void Trainer::load_weights(const NamedTensors& weights) {
  const at::NoGradGuard raw;
  for (const ModelParameter& each : model_.parameters())
    each.tensor.copy_(tensor_in(weights, each.name, each.tensor));
}

void Trainer::load_optimizer(const NamedTensors& state, std::int64_t steps) {
  optimizer_.load_state(state, steps);
  carried_ = carried_in(state, device_.memory);
}

}  // namespace runner
