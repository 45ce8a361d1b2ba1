#include "runner/train/trainer/sampling.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "results/events/run_folder.h"
#include "runner/base/process/stderr_text.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/tasks/text_task.h"
#include "runner/train/trainer/stored_config.h"
#include "runner/train/trainer/translation.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

void complain_of_sample(const std::string& text) {
  print_safe("lcsm-train sample: " + text + "\n");
}

RunConfig config_of(const fs::path& folder) {
  RunConfig config = stored_config(folder, complain_of_sample);
  if (!config.at("task.tokens"_key).used || !config.predicts_next()) {
    const bool hides = config.task().head == "tokens" && !config.predicts_next();
    throw std::invalid_argument(
        "expected a run that predicts the next token of a text, got one " +
        (hides ? "that predicts hidden tokens" : "on " + config.text("task.name"_key)));
  }
  return config;
}

// A text that grows by one token at a time, and the model's state after the tokens read so far.
class Reader {
 public:
  explicit Reader(const TrainedModel& trained)
      : trained_(trained),
        window_(static_cast<std::size_t>(trained.config().integer("task.length"_key))) {}

  // [V], after the last of at most task.length tokens. Reads only new tokens if the layers carry a
  // state and the text is not longer.
  at::Tensor logits_after(std::span<const std::uint32_t> tokens) {
    if (tokens.size() > window_) return after(inputs_of(tokens.last(window_)), nullptr);
    if (!can_go_on(carried_)) {
      carried_.clear();
      read_ = 0;
    }
    Inputs inputs = inputs_of(tokens.subspan(read_));
    inputs.begin = static_cast<std::int64_t>(read_);
    read_ = tokens.size();
    return after(inputs, &carried_);
  }

 private:
  static Inputs inputs_of(std::span<const std::uint32_t> tokens) {
    Inputs inputs{at::empty({1, static_cast<std::int64_t>(tokens.size())}, at::kLong)};
    std::copy(tokens.begin(), tokens.end(), inputs.values.mutable_data_ptr<std::int64_t>());
    return inputs;
  }
  at::Tensor after(const Inputs& inputs, Carried* carried) const {
    Dropout none;
    const Autocast autocast(precision_of(trained_.config()));
    const at::Tensor last = trained_.model().hidden(inputs, none, carried).select(1, -1);
    return trained_.model().logits(last).flatten().to(at::kFloat).contiguous();
  }

  const TrainedModel& trained_;
  const std::size_t window_;
  Carried carried_;
  std::size_t read_ = 0;
};

}  // namespace

std::vector<std::uint32_t> prompt_tokens(Tokenizer& tokenizer, const std::string& prompt) {
  std::vector<std::uint32_t> tokens = {tokenizer.boundary()};
  if (prompt.empty()) return tokens;
  tokenizer.encode(prompt, tokens);
  if (tokens.size() > 1 && tokens.back() == tokenizer.boundary() && !prompt.ends_with('\n'))
    tokens.pop_back();
  return tokens;
}

std::uint32_t pick(std::span<const float> logits, double temperature, std::int64_t top,
                   lcsm::Random& random) {
  std::vector<std::uint32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::size_t among = temperature == 0 ? 1
                            : top > 0        ? std::min(static_cast<std::size_t>(top), order.size())
                                             : order.size();
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(among), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
                    });
  if (among == 1) return order[0];
  std::vector<double> sums(among);
  double sum = 0;
  for (std::size_t i = 0; i < among; ++i)
    sums[i] = sum += std::exp((logits[order[i]] - logits[order[0]]) / temperature);
  const auto at = std::upper_bound(sums.begin(), sums.end(), random.uniform() * sum);
  return order[std::min(static_cast<std::size_t>(at - sums.begin()), among - 1)];
}

bool translates(const fs::path& workspace, const std::string& id) {
  return stored_config(results::run_folder(workspace, id), complain_of_sample).task().inputs ==
         "sentences";
}

Translator::Translator(const fs::path& workspace, const std::string& id,
                       const std::string& checkpoint)
    : trained_(results::run_folder(workspace, id),
               stored_config(results::run_folder(workspace, id), complain_of_sample), workspace,
               checkpoint, complain_of_sample) {}

std::string Translator::translated(const std::string& sentence) {
  const SentenceSet& set = *trained_.data().sentences();
  std::vector<std::uint32_t> tokens = set.encoded(sentence);
  tokens.push_back(JointBpe::kEnd);
  const auto longest = static_cast<std::size_t>(trained_.config().integer("task.length"_key));
  if (tokens.size() > longest)
    throw std::invalid_argument(
        "expected a sentence of at most task.length = " + std::to_string(longest) +
        " tokens with its end, got " + std::to_string(tokens.size()) + ": translate it in parts");
  Inputs inputs;
  inputs.source = at::empty({1, static_cast<std::int64_t>(tokens.size())}, at::kLong);
  std::copy(tokens.begin(), tokens.end(), inputs.source.mutable_data_ptr<std::int64_t>());
  const BeamSearch search = beam_search_of(trained_.config());
  return set.plain(set.text_of(translations(trained_.model(), inputs, search)[0]));
}

Sampler::Sampler(const fs::path& workspace, const std::string& id, const std::string& checkpoint)
    : trained_(results::run_folder(workspace, id), config_of(results::run_folder(workspace, id)),
               workspace, checkpoint, complain_of_sample),
      tokenizer_(text_tokenizer(trained_.config(), workspace)) {}

void Sampler::sample(const SampleRequest& request,
                     const std::function<void(const std::string&)>& take) const {
  const at::NoGradGuard raw;
  Reader reader(trained_);
  std::vector<std::uint32_t> tokens = prompt_tokens(*tokenizer_, request.prompt);
  lcsm::Random random(request.seed);
  for (std::int64_t i = 0; i < request.tokens; ++i) {
    const at::Tensor logits = reader.logits_after(tokens);
    const auto V = static_cast<std::size_t>(logits.numel());
    tokens.push_back(
        pick({logits.const_data_ptr<float>(), V}, request.temperature, request.top, random));
    take(tokenizer_->text(tokens.back()));
  }
}

}  // namespace runner
