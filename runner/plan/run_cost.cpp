#include "runner/plan/run_cost.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lcsm/code/plan.h"
#include "lcsm/code/wikitext.h"

namespace runner {
namespace {

// Tokens of a text by the kind of token, in millions: train, valid. Round figures.
struct TextSize {
  std::string_view task;
  double bytes, words, gpt2;  // of the training text
  double valid;               // share of the validation text
};
constexpr std::array kTextSizes = {
    TextSize{"wikitext-103", 540e6, 103e6, 117e6, 0.0021},
    TextSize{"wikitext-2", 10.8e6, 2.09e6, 2.4e6, 0.104},
    TextSize{"tiny-shakespeare", 1.0e6, 0.23e6, 0.30e6, 0.055},
};
constexpr TextSize kOtherText = {"text", 1e6, 0.2e6, 0.25e6, 0.055};

constexpr double kProcessBytes = 300e6;  // LibTorch and the program
constexpr double kBackward = 3;          // forward and backward are three times the forward
// What a layer costs a step beside arithmetic (calls, functions of gates): some 3 ms, as
// arithmetic.
constexpr double kLayerFlops = 1e8;

bool is_mqar(const RunConfig& config) { return config.is("task.name", "mqar"); }

double vocabulary(const RunConfig& config) {
  if (is_mqar(config)) return static_cast<double>(config.integer("task.vocab"));
  const std::string& tokens = config.text("task.tokens");
  return tokens == "bytes" ? 257 : tokens == "gpt2" ? 50265 : 33278;
}

double training_tokens(const RunConfig& config) {
  if (is_mqar(config))
    return static_cast<double>(config.integer("task.train") * config.integer("task.length"));
  const auto* size = std::find_if(kTextSizes.begin(), kTextSizes.end(), [&](const TextSize& each) {
    return each.task == config.text("task.name");
  });
  const TextSize& text = size == kTextSizes.end() ? kOtherText : *size;
  const std::string& tokens = config.text("task.tokens");
  return tokens == "bytes" ? text.bytes : tokens == "gpt2" ? text.gpt2 : text.words;
}

double valid_tokens(const RunConfig& config) {
  if (is_mqar(config))
    return static_cast<double>(config.integer("task.valid") * config.integer("task.length"));
  for (const TextSize& each : kTextSizes)
    if (each.task == config.text("task.name")) return training_tokens(config) * each.valid;
  return training_tokens(config) * kOtherText.valid;
}

// Of one layer: numbers that are learned, and the arithmetic of one token forward.
struct Layer {
  double parameters = 0, flops = 0, kept = 0;  // kept: numbers a token leaves for the backward pass
};

Layer mixer_of(const RunConfig& config) {
  const auto d = static_cast<double>(config.integer("model.d"));
  const auto T = static_cast<double>(config.integer("task.length"));
  if (config.is("model.family", "attention")) return {4 * d * d, 8 * d * d + 2 * d * T, 8 * d};
  const lcsm::Variant variant = lcsm::make_variant(
      config.code(), config.catalogue(),
      {static_cast<int>(config.integer("model.d")), static_cast<int>(config.integer("model.k"))});
  const lcsm::Cost cost = lcsm::cost_of(variant);
  const auto k = static_cast<double>(config.integer("model.k"));
  return {static_cast<double>(lcsm::mixer_parameters(variant).learned),
          static_cast<double>(cost.projection_flops + cost.recurrence_flops), 8 * d + 4 * k};
}

Layer block_of(const RunConfig& config) {
  Layer layer = mixer_of(config);
  const auto d = static_cast<double>(config.integer("model.d"));
  double others = 0;  // of the channel mixer
  if (config.is("model.skeleton", "wikitext"))
    others = 3 * d * std::floor(4 * d / 3);
  else if (config.is("model.state_mixer", "mlp"))
    others = 8 * d * d;
  layer.parameters += others + 4 * d;
  layer.flops += 2 * others;
  layer.kept += (others > 0 ? 3 * others / d : 0) + 6 * d;
  return layer;
}

double steps_of(const RunConfig& config) {
  const auto batch = static_cast<double>(config.integer("optim.batch"));
  const auto length = static_cast<double>(config.integer("task.length"));
  double steps = INFINITY;
  const auto end = [&steps](double count) {
    if (count > 0) steps = std::min(steps, std::ceil(count));
  };
  end(static_cast<double>(config.integer("optim.steps")));
  end(static_cast<double>(config.integer("optim.epochs")) *
      std::ceil(training_tokens(config) / length / batch));
  end(static_cast<double>(config.integer("optim.tokens")) / (batch * length));
  return std::isfinite(steps) ? steps : 0;
}

double evaluations(const RunConfig& config, double steps) {
  const auto every = static_cast<double>(config.integer("eval.steps"));
  const auto epochs = static_cast<double>(config.integer("eval.epochs"));
  const double epoch = training_tokens(config) /
                       static_cast<double>(config.integer("task.length")) /
                       static_cast<double>(config.integer("optim.batch"));
  return 1 + (every > 0 ? steps / every : 0) + (epochs > 0 ? steps / std::ceil(epoch * epochs) : 0);
}

}  // namespace

RunCost cost_of(const RunConfig& config) {
  const double V = vocabulary(config), d = static_cast<double>(config.integer("model.d"));
  const auto layers = static_cast<double>(config.integer("model.layers"));
  const auto T = static_cast<double>(config.integer("task.length"));
  const double tokens = static_cast<double>(config.integer("optim.batch")) * T;
  const double scored =
      is_mqar(config) ? static_cast<double>(config.integer("task.pairs")) / T : 1;  // of a token
  const Layer block = block_of(config);
  const double forward = layers * block.flops + 2 * d * V * scored;  // of a token
  const double parameters = layers * block.parameters + V * d;
  RunCost cost;
  cost.steps = steps_of(config);
  cost.minutes = config.real("optim.minutes");
  cost.step_flops = kBackward * forward * tokens + kLayerFlops * (layers + 1);
  cost.flops = cost.steps * cost.step_flops +
               evaluations(config, cost.steps) * forward * valid_tokens(config);
  const double part = tokens / static_cast<double>(config.integer("optim.accumulate"));
  cost.memory_bytes =
      kProcessBytes + 16 * parameters + 4 * part * (layers * block.kept + 3 * scored * V + 4 * d);
  cost.disk_bytes = 2 * 12 * parameters + 2e5;
  return cost;
}

bool shapes_cost(std::string_view key) {
  constexpr std::array kNot = {"task.seed",    "task.order", "task.path",
                               "task.content", "task.power", "task.filler"};
  constexpr std::array kOthers = {"optim.batch", "optim.accumulate", "optim.precision",
                                  "eval.steps",  "eval.epochs",      "eval.batch"};
  if (std::find(kOthers.begin(), kOthers.end(), key) != kOthers.end()) return true;
  return (key.starts_with("task.") || key.starts_with("model.")) &&
         std::find(kNot.begin(), kNot.end(), key) == kNot.end();
}

std::string likeness(const RunConfig& config) {
  std::string text;
  for (std::size_t i = 0; i < kConfigKeys.size(); ++i) {
    const Setting& setting = config.at(static_cast<int>(i));
    if (setting.used && shapes_cost(kConfigKeys[i].name))
      text += std::string(kConfigKeys[i].name) + "=" + value_text(setting.value) + "\n";
  }
  return text;
}

}  // namespace runner
