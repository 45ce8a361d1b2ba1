#include "runner/sweeps/plan/run_cost.h"

#include <algorithm>
#include <array>

#include "lcsm/base/words.h"
#include "runner/config/keys/eval_keys.h"
#include "runner/config/keys/model_keys.h"
#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/optimizer_rows.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/config/run/course.h"
#include "runner/config/run/run_id.h"
#include "runner/data/tasks/segments.h"
#include "runner/data/tasks/sentence_task.h"
#include "runner/data/tasks/set_task.h"
#include "runner/data/tasks/task.h"
#include "runner/models/families/bands.h"
#include "runner/models/families/family.h"

namespace runner {
namespace {

constexpr double kProcessBytes = 300e6;  // LibTorch and the program
constexpr double kBackward = 3;          // forward and backward are three times the forward
// The fixed cost of a layer per step (calls, functions of gates): about a millisecond, in FLOPs.
constexpr double kLayerFlops = 1e8;

// A layer's backward pass makes about twice as many numbers about pairs of steps as it keeps.
constexpr double kPairsOfBackward = 2;

double number(std::int64_t count) { return static_cast<double>(count); }

// `rest`: parameters of the layer besides the mixer's, nearly all in matrices of the channel mixer.
TokenCost layer_cost(const ModelPlan& plan, double rest) {
  TokenCost cost = family_of(plan.config).cost(plan);
  const double d = number(plan.config.integer("model.d"_key));
  cost.flops += 2 * rest;
  cost.kept += 3 * rest / d + 6 * d;
  return cost;
}

// The number of products of width d per scored token, in the head and the embedding's projections.
double products_of_head(const ModelPlan& plan) {
  const std::vector<Band> bands = bands_of(plan.config, plan.vocab);
  if (plan.config.outputs() > 0) return number(plan.config.outputs());
  if (bands.empty()) return number(plan.vocab);
  const double d = number(plan.config.integer("model.d"_key));
  double products = number(bands[0].tokens) + number(static_cast<std::int64_t>(bands.size()));
  for (std::size_t i = 0; i < bands.size(); ++i) {
    const double width = number(bands[i].width), heads = i > 0 ? number(bands[i].tokens) / d : 0;
    products += share_of(bands[i], plan.vocab) * width * (2 + heads);
  }
  return products;
}

// Tokens per training example, mean and maximum, and per evaluated example.
struct ExampleTokens {
  double mean = 0, most = 0, evaluated = 0;
};

// The examples of a batch have about equal lengths.
ExampleTokens tokens_of_example(const RunConfig& config, const std::optional<DataSizes>& sizes) {
  const double T = number(config.integer("task.length"_key));
  const double mean = sizes               ? std::clamp(sizes->mean_length, 1.0, T)
                      : reads_set(config) ? expected_length(config)
                                          : mean_length(config);
  if (!reads_sentences(config)) return {mean, T, mean};
  const double sentence = std::min(config.task().set.words, T),
               bundle = number(config.integer("task.bundle"_key));
  if (bundle > 0) return {bundle, bundle, sentence};
  return {sentence, T, sentence};
}

// Passes over a sentence that beam search takes, each over all tokens so far.
double passes_of_search(const RunConfig& config, double sentence) {
  if (!reads_sentences(config)) return 0;
  return number(config.integer("eval.beam"_key)) * sentence / 2;
}

struct ModelCost {
  double layers = 0, d = 0, parameters = 0;
  double logits = 0;  // of a token
  TokenCost layer;

  double forward() const { return layers * layer.flops + 2 * d * logits; }  // FLOPs of a token
};

// `tokens`: of an example.
ModelCost cost_of_model(const RunConfig& config, double tokens) {
  const Task& task = task_of(config);
  const ModelPlan plan = plan_model(config, task.vocabulary(config).value);
  const TensorCounts counts = counts_of(plan);
  ModelCost cost{.layers = number(config.integer("model.layers"_key)),
                 .d = number(config.integer("model.d"_key)),
                 .logits = number(task.scored(config)) / tokens * products_of_head(plan),
                 .layer = layer_cost(plan, number(counts.rest.learned))};
  cost.parameters = number(counts.around.learned) +
                    cost.layers * number(counts.mixer.learned + counts.rest.learned);
  return cost;
}

// The peak: the longest examples, of which no more tokens are scored than on average.
void set_memory(const RunConfig& config, const ModelCost& model, const ExampleTokens& tokens,
                RunCost* cost) {
  const auto& [layers, d, parameters, logits, layer] = model;
  const double state =
      number(static_cast<std::int64_t>(lcsm::words_of(config.optimizer().state).size()));
  const double parts = number(config.integer("optim.accumulate"_key)),
               examples = number(config.integer("optim.batch"_key)) / parts;
  const double weights = 4 * (2 + state) * parameters,
               kept = examples * tokens.most *
                      (layers * layer.kept + (layers + kPairsOfBackward) * layer.pairs + 4 * d),
               all_logits = examples * tokens.mean * logits;
  cost->memory_bytes = kProcessBytes + weights + 4 * (kept + 3 * all_logits);
  // The logits become their gradient in place.
  cost->gpu_bytes =
      weights + 4 * (kept + examples * tokens.most * layers * layer.memories + all_logits);
  cost->layer_passes = layers * parts;
  cost->kept = kept * parts;
  cost->disk_bytes = 2 * 4 * (1 + state) * parameters + 2e5;
}

}  // namespace

RunCost cost_of(const RunConfig& config, const std::optional<DataSizes>& sizes) {
  const auto examples = [&](Split split) {
    return sizes ? sizes->examples[index_of(split)] : task_of(config).examples(config, split).value;
  };
  const std::int64_t most = config.integer("eval.examples"_key);
  const auto evaluated_of = [&](Split split) {
    return number(most > 0 ? std::min(most, examples(split)) : examples(split));
  };
  const ExampleTokens tokens = tokens_of_example(config, sizes);
  const ModelCost model = cost_of_model(config, tokens.mean);
  const Course course(config, examples(Split::kTrain));
  const double of_batch = number(config.integer("optim.batch"_key)) * tokens.mean;
  RunCost cost;
  cost.steps = course.steps() == kEndless ? 0 : number(course.steps());
  cost.minutes = config.real("optim.minutes"_key);
  cost.step_flops = kBackward * model.forward() * of_batch + kLayerFlops * (model.layers + 1);
  cost.scan_flops = kBackward * model.layers * model.layer.scanned * of_batch;
  const double evaluated =
      number(course.evaluations()) * evaluated_of(Split::kValid) + evaluated_of(Split::kTest);
  cost.flops = cost.steps * cost.step_flops + evaluated * tokens.evaluated * model.forward() *
                                                  (1 + passes_of_search(config, tokens.evaluated));
  set_memory(config, model, tokens, &cost);
  return cost;
}

bool shapes_cost(std::string_view key) {
  constexpr std::array kNot = {"task.seed",  "task.order",  "task.path",
                               "task.power", "task.filler", "task.data_options"};
  constexpr std::array kOthers = {"optim.batch",   "optim.accumulate", "optim.precision",
                                  "eval.steps",    "eval.epochs",      "eval.batch",
                                  "eval.examples", "eval.beam"};
  if (std::find(kOthers.begin(), kOthers.end(), key) != kOthers.end()) return true;
  return (key.starts_with("task.") || key.starts_with("model.")) &&
         std::find(kNot.begin(), kNot.end(), key) == kNot.end();
}

std::string likeness(const RunConfig& config) {
  std::string text;
  for (const auto& [key, value] : parameters_of(config))
    if (shapes_cost(key)) text += key + "=" + value_text(value) + "\n";
  return text;
}

}  // namespace runner
