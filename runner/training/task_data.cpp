#include "runner/training/task_data.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "runner/tasks/mqar.h"
#include "runner/tasks/text_task.h"

namespace runner {
namespace {

using Span = std::span<const std::uint32_t>;

// At least this many examples are made by a thread at once: a maker has tables of its own.
constexpr std::int64_t kMadeAtOnce = 64;

class MqarData : public TaskData {
 public:
  explicit MqarData(const RunConfig& config)
      : options_(mqar_options(config)),
        seed_(static_cast<std::uint64_t>(config.integer("task.seed"))),
        counts_{config.integer("task.train"), config.integer("task.valid"),
                config.integer("task.test")} {}

  std::int64_t vocab() const override { return options_.vocab; }
  std::int64_t examples(Domain split) const override {
    return counts_[static_cast<std::size_t>(split) - static_cast<std::size_t>(Domain::kTrain)];
  }

  Batch batch(Domain split, Span which) override {
    const auto B = static_cast<std::int64_t>(which.size());
    Batch batch{at::empty({B, options_.length}, at::kInt),
                at::empty({B * options_.pairs}, at::kLong),
                at::empty({B * options_.pairs}, at::kLong)};
    at::parallel_for(0, B, kMadeAtOnce, [&](std::int64_t begin, std::int64_t end) {
      Mqar maker(options_, seed_);
      std::vector<std::int32_t> queries(pairs()), answers(pairs());
      for (std::int64_t b = begin; b < end; ++b) {
        auto* tokens = batch.tokens.mutable_data_ptr<std::int32_t>() + b * options_.length;
        maker.make(split, which[static_cast<std::size_t>(b)],
                   {{tokens, static_cast<std::size_t>(options_.length)}, queries, answers});
        auto* rows = batch.rows.mutable_data_ptr<std::int64_t>() + b * options_.pairs;
        for (const std::int32_t query : queries) *rows++ = b * options_.length + query;
        std::copy(answers.begin(), answers.end(),
                  batch.targets.mutable_data_ptr<std::int64_t>() + b * options_.pairs);
      }
    });
    batch.tokens = batch.tokens.to(at::kLong);
    return batch;
  }

 private:
  std::size_t pairs() const { return static_cast<std::size_t>(options_.pairs); }

  MqarOptions options_;
  std::uint64_t seed_;
  std::array<std::int64_t, 3> counts_;  // train, valid, test
};

class TextData : public TaskData {
 public:
  explicit TextData(const RunConfig& config)
      : tokens_(text_tokens(config, token_cache())),
        length_(config.integer("task.length")),
        train_(tokens_.train, length_),
        valid_(tokens_.valid, length_),
        test_(tokens_.test, length_) {
    if (train_.whole() == 0)
      throw std::invalid_argument("task.length: expected at most the " +
                                  std::to_string(tokens_.train.size()) +
                                  " tokens of the training text, got " + std::to_string(length_));
  }

  std::int64_t vocab() const override { return tokens_.train.vocab(); }

  // To learn from: whole blocks; to be judged by: every token.
  std::int64_t examples(Domain split) const override {
    return static_cast<std::int64_t>(split == Domain::kTrain ? train_.whole()
                                                             : blocks(split).count());
  }

  Batch batch(Domain split, Span which) override {
    const auto B = static_cast<std::int64_t>(which.size()), T = length_;
    const auto size = static_cast<std::size_t>(T);
    Batch batch{at::zeros({B, T}, at::kInt), {}, at::empty({B * T}, at::kLong)};
    std::vector<std::int32_t> targets(size);
    std::vector<std::int64_t> rows;
    auto* into = batch.targets.mutable_data_ptr<std::int64_t>();
    for (std::int64_t b = 0; b < B; ++b) {
      const std::span<std::int32_t> tokens{batch.tokens.mutable_data_ptr<std::int32_t>() + b * T,
                                           size};
      const std::int64_t there =
          blocks(split).copy(which[static_cast<std::size_t>(b)], tokens, targets);
      into = std::copy_n(targets.begin(), there, into);
      for (std::int64_t t = 0; t < there; ++t) rows.push_back(b * T + t);
    }
    const auto scored = static_cast<std::int64_t>(rows.size());
    batch.tokens = batch.tokens.to(at::kLong);
    if (scored == B * T) return batch;
    batch.targets = batch.targets.narrow(0, 0, scored).clone();
    batch.rows = at::empty({scored}, at::kLong);
    std::copy(rows.begin(), rows.end(), batch.rows.mutable_data_ptr<std::int64_t>());
    return batch;
  }

 private:
  const TextBlocks& blocks(Domain split) const {
    return split == Domain::kTrain ? train_ : split == Domain::kValid ? valid_ : test_;
  }

  TextTokens tokens_;
  std::int64_t length_;
  TextBlocks train_, valid_, test_;
};

}  // namespace

std::unique_ptr<TaskData> open_task(const RunConfig& config) {
  std::unique_ptr<TaskData> data;
  if (config.is("task.name", "mqar"))
    data = std::make_unique<MqarData>(config);
  else
    data = std::make_unique<TextData>(config);
  // The order of an epoch counts in 32 bits.
  for (const Domain split : {Domain::kTrain, Domain::kValid, Domain::kTest})
    if (data->examples(split) > std::numeric_limits<std::uint32_t>::max())
      throw std::invalid_argument("expected fewer than 2^32 examples, got " +
                                  std::to_string(data->examples(split)));
  return data;
}

}  // namespace runner
