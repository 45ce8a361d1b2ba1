// Texts as tensors: blocks of tokens, every token the target of the one before it; or hidden tokens
// the targets, and the model sees the others on both sides.
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/batches/set_tensors.h"
#include "runner/data/batches/task_data.h"
#include "runner/data/tasks/segments.h"
#include "runner/data/tasks/text_task.h"

namespace runner {
namespace {

class TextData : public TaskData {
 public:
  TextData(const RunConfig& config, const std::filesystem::path& workspace)
      : tokens_(text_tokens(config, workspace)),
        length_(config.integer("task.length"_key)),
        train_(tokens_.train, length_),
        valid_(tokens_.valid, length_),
        test_(tokens_.test, length_),
        segments_(segments_in(config, tokens_.train.size())),
        seed_(static_cast<std::uint64_t>(config.integer("seed"_key))) {
    const std::int64_t vocabulary = tokens_.train.vocab();
    if (!config.predicts_next())
      masking_ = {config.real("task.masked"_key), mask_token(config, vocabulary), vocabulary};
    if (!segments_ && train_.whole() == 0)
      throw std::invalid_argument("task.length: expected at most the " +
                                  std::to_string(tokens_.train.size()) +
                                  " tokens of the training text, got " + std::to_string(length_));
  }

  std::int64_t vocab() const override {
    const std::int64_t vocabulary = tokens_.train.vocab();
    return masking_.share > 0 ? std::max(vocabulary, masking_.mask + 1) : vocabulary;
  }

  // Training uses whole blocks; evaluation covers every token.
  std::int64_t examples(Split split) const override {
    if (segments_ && split == Split::kTrain) return static_cast<std::int64_t>(segments_->count());
    return static_cast<std::int64_t>(split == Split::kTrain ? train_.whole()
                                                            : blocks(split).count());
  }

  std::vector<std::uint32_t> training_order(const OrderRequest& request) const override {
    if (!segments_) return TaskData::training_order(request);
    return segments_->order(request.shuffled, request.batch, request.seed, request.epoch);
  }

  Batch batch(Split split, std::span<const std::uint32_t> which) override {
    if (masking_.share == 0) return next_tokens(split, which);
    // The same for every run.
    const std::uint64_t first = index_of(split) << 32;
    return hidden_tokens(split, which, [first](std::uint32_t block) {
      return RandomStream(0, Draw::kMask, first + block);
    });
  }

  Batch training_batch(const TrainingPart& part) override {
    const std::span<const std::uint32_t> which = part.examples();
    if (masking_.share == 0) return next_tokens(Split::kTrain, which);
    const std::uint64_t epoch = part.epoch;
    return hidden_tokens(Split::kTrain, which, [this, epoch](std::uint32_t block) {
      return RandomStream(seed_, Draw::kMask, (epoch << 32) + block);
    });
  }

 private:
  Batch next_tokens(Split split, std::span<const std::uint32_t> which) const {
    std::vector<Segment> parts;
    for (const std::uint32_t i : which)
      parts.push_back(segments_ && split == Split::kTrain
                          ? segments_->of(i)
                          : Segment{i * static_cast<std::uint64_t>(length_), length_});
    const auto B = static_cast<std::int64_t>(which.size());
    const std::int64_t T = std::ranges::max(parts, {}, &Segment::tokens).tokens;
    const at::Tensor tokens = at::zeros({B, T}, at::kInt);
    Batch batch{{}, {}, at::empty({B * T}, at::kLong)};
    std::vector<std::int32_t> targets(static_cast<std::size_t>(T));
    std::vector<std::int64_t> rows;
    auto* into = batch.targets.mutable_data_ptr<std::int64_t>();
    for (std::int64_t b = 0; b < B; ++b) {
      const Segment& part = parts[static_cast<std::size_t>(b)];
      const auto size = static_cast<std::size_t>(part.tokens);
      const std::span<std::int32_t> row{tokens.mutable_data_ptr<std::int32_t>() + b * T, size};
      const std::int64_t there =
          blocks(split).copy(part.first, row, std::span(targets).first(size));
      into = std::copy_n(targets.begin(), there, into);
      for (std::int64_t t = 0; t < there; ++t) rows.push_back(b * T + t);
    }
    const auto scored = static_cast<std::int64_t>(rows.size());
    batch.inputs.values = tokens.to(at::kLong);
    if (scored == B * T) return batch;
    batch.targets = batch.targets.narrow(0, 0, scored).clone();
    batch.rows = tensor_of(rows);
    return batch;
  }

  // Blocks that end with the text are padded, since the model would see the targets that follow.
  template <class Stream>
  Batch hidden_tokens(Split split, std::span<const std::uint32_t> which,
                      const Stream& stream) const {
    const auto B = static_cast<std::int64_t>(which.size()), T = length_;
    const auto size = static_cast<std::size_t>(T);
    at::Tensor tokens = at::zeros({B, T}, at::kInt), padding = at::zeros({B, T}, at::kBool);
    std::vector<std::int32_t> inputs(size), text(size);
    std::vector<std::int64_t> rows, targets;
    bool padded = false;
    for (std::int64_t b = 0; b < B; ++b) {
      const std::uint32_t block = which[static_cast<std::size_t>(b)];
      const std::uint64_t first = block * static_cast<std::uint64_t>(length_);
      const std::int64_t there = blocks(split).copy(first, inputs, text);
      const std::span<std::int32_t> seen{tokens.mutable_data_ptr<std::int32_t>() + b * T,
                                         static_cast<std::size_t>(there)};
      std::copy_n(text.begin(), there, seen.begin());
      for (const std::int64_t at : masking_.hide(seen, stream(block))) {
        rows.push_back(b * T + at);
        targets.push_back(text[static_cast<std::size_t>(at)]);
      }
      std::fill_n(padding.mutable_data_ptr<bool>() + b * T + there, T - there, true);
      padded = padded || there < T;
    }
    return {{tokens.to(at::kLong), padded ? padding : at::Tensor()},
            tensor_of(rows),
            tensor_of(targets)};
  }

  const TextBlocks& blocks(Split split) const {
    return split == Split::kTrain ? train_ : split == Split::kValid ? valid_ : test_;
  }

  TextTokens tokens_;
  std::int64_t length_;
  TextBlocks train_, valid_, test_;
  std::optional<Segments> segments_;
  std::uint64_t seed_;
  Masking masking_;  // share 0: the next token is predicted
};

}  // namespace

std::unique_ptr<TaskData> open_text(const RunConfig& config,
                                    const std::filesystem::path& workspace) {
  return std::make_unique<TextData>(config, workspace);
}

}  // namespace runner
