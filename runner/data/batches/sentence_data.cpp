// Pairs of sentences as tensors. The decoder reads </s> and the target, and predicts the target and
// </s>; the source ends with </s>, too, as in fairseq. Both are padded on the right to the longest
// of a batch.
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <vector>

#include "runner/config/keys/run_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/data/batches/set_tensors.h"
#include "runner/data/batches/task_data.h"
#include "runner/data/sentences/sentence_set.h"
#include "runner/data/tasks/bundles.h"
#include "runner/data/tasks/example_order.h"

namespace runner {
namespace {

constexpr auto kEnd = static_cast<std::int64_t>(JointBpe::kEnd);

using Rows = std::vector<std::vector<std::uint32_t>>;

// [B, T]: the rows one after the other, then zeros; `padding` is true there, undefined without any.
at::Tensor padded(const Rows& rows, at::Tensor* padding) {
  std::size_t longest = 0, all = 0;
  for (const auto& row : rows) longest = std::max(longest, row.size()), all += row.size();
  const auto B = static_cast<std::int64_t>(rows.size()), T = static_cast<std::int64_t>(longest);
  at::Tensor tokens = at::full({B, T}, kEnd, at::kLong);
  for (std::int64_t b = 0; b < B; ++b) {
    const auto& row = rows[static_cast<std::size_t>(b)];
    std::copy(row.begin(), row.end(), tokens.mutable_data_ptr<std::int64_t>() + b * T);
  }
  if (all == rows.size() * longest) return tokens;
  *padding = at::ones({B, T}, at::kBool);
  for (std::int64_t b = 0; b < B; ++b)
    std::fill_n(padding->mutable_data_ptr<bool>() + b * T, rows[static_cast<std::size_t>(b)].size(),
                false);
  return tokens;
}

class SentenceData : public TaskData {
 public:
  SentenceData(const RunConfig& config, const std::filesystem::path& workspace)
      : set_(config, workspace),
        longest_(static_cast<std::uint64_t>(config.integer("task.length"_key))) {
    for (const Split split : kSplits) lengths_[index_of(split)] = lengths_of(split);
    if (const std::int64_t tokens = config.integer("task.bundle"_key); tokens > 0)
      bundles_ = bundles_of(pairs_of_lengths(), static_cast<std::uint64_t>(tokens),
                            static_cast<std::uint64_t>(config.integer("seed"_key)));
  }

  std::int64_t vocab() const override { return set_.vocabulary(); }
  std::int64_t examples(Split split) const override {
    if (split == Split::kTrain && !bundles_.empty())
      return static_cast<std::int64_t>(bundles_.size());
    return static_cast<std::int64_t>(set_.sentences(split));
  }
  bool prefetches() const override { return true; }
  const SentenceSet* sentences() const override { return &set_; }

  std::vector<std::uint32_t> training_order(const OrderRequest& request) const override {
    std::vector<std::uint32_t> order = TaskData::training_order(request);
    if (!request.shuffled || !bundles_.empty()) return order;
    return order_by_length(std::move(order), lengths_[index_of(Split::kTrain)], request.batch,
                           request.seed, request.epoch);
  }

  std::vector<std::uint32_t> evaluation_order(Split split) const override {
    std::vector<std::uint32_t> order = TaskData::evaluation_order(split);
    const std::vector<std::uint32_t>& lengths = lengths_[index_of(split)];
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return lengths[a] < lengths[b]; });
    return order;
  }

  Batch batch(Split split, std::span<const std::uint32_t> which) override {
    if (split != Split::kTrain || bundles_.empty()) return batch_of(split, which);
    std::vector<std::uint32_t> sentences;
    for (const std::uint32_t bundle : which)
      sentences.insert(sentences.end(), bundles_[bundle].begin(), bundles_[bundle].end());
    return batch_of(split, sentences);
  }

 private:
  Batch batch_of(Split split, std::span<const std::uint32_t> which) const {
    Rows sources, inputs;
    std::vector<std::int64_t> targets;
    for (const std::uint32_t sentence : which) {
      std::vector<std::uint32_t> source = cut(set_.source(split, sentence)),
                                 target = cut(set_.target(split, sentence));
      source.push_back(JointBpe::kEnd);
      targets.insert(targets.end(), target.begin(), target.end());
      targets.push_back(kEnd);
      target.insert(target.begin(), JointBpe::kEnd);
      sources.push_back(std::move(source));
      inputs.push_back(std::move(target));
    }
    Batch batch;
    batch.inputs.values = padded(inputs, &batch.inputs.padding);
    batch.inputs.source = padded(sources, &batch.inputs.source_padding);
    batch.targets = tensor_of(targets);
    if (batch.inputs.padding.defined())
      batch.rows = batch.inputs.padding.logical_not().flatten().nonzero().flatten();
    return batch;
  }

  // Leaves room for </s> within task.length tokens.
  std::vector<std::uint32_t> cut(std::vector<std::uint32_t> tokens) const {
    if (tokens.size() >= longest_) tokens.resize(longest_ - 1);
    return tokens;
  }

  PairLengths lengths_of(Split split, std::uint64_t sentence) const {
    const auto with_end = [&](std::uint64_t length) {
      return static_cast<std::uint32_t>(std::min(length + 1, longest_));
    };
    return {with_end(set_.source_length(split, sentence)),
            with_end(set_.target_length(split, sentence))};
  }

  std::vector<std::uint32_t> lengths_of(Split split) const {
    std::vector<std::uint32_t> lengths;
    for (std::uint64_t i = 0; i < set_.sentences(split); ++i)
      lengths.push_back(lengths_of(split, i).longer());
    return lengths;
  }

  std::vector<PairLengths> pairs_of_lengths() const {
    std::vector<PairLengths> lengths;
    for (std::uint64_t i = 0; i < set_.sentences(Split::kTrain); ++i)
      lengths.push_back(lengths_of(Split::kTrain, i));
    return lengths;
  }

  SentenceSet set_;
  std::uint64_t longest_;
  std::array<std::vector<std::uint32_t>, 3> lengths_;  // by split, the longer of both sentences
  std::vector<Bundle> bundles_;                        // empty: an example is a sentence
};

}  // namespace

std::unique_ptr<TaskData> open_sentences(const RunConfig& config,
                                         const std::filesystem::path& workspace) {
  return std::make_unique<SentenceData>(config, workspace);
}

}  // namespace runner
