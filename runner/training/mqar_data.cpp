// Associative recall as tensors: made by several threads, scored where a key is asked for.
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <vector>

#include "runner/tasks/mqar.h"
#include "runner/training/task_data.h"

namespace runner {
namespace {

// At least this many examples are made by a thread at once: a maker has tables of its own.
constexpr std::int64_t kMadeAtOnce = 64;

class MqarData : public TaskData {
 public:
  explicit MqarData(const RunConfig& config)
      : options_(mqar_options(config)),
        seed_(static_cast<std::uint64_t>(config.integer("task.seed"))) {
    for (const Split split : kSplits) counts_[index_of(split)] = mqar_examples(config, split).value;
  }

  std::int64_t vocab() const override { return options_.vocab; }
  std::int64_t examples(Split split) const override { return counts_[index_of(split)]; }

  Batch batch(Split split, std::span<const std::uint32_t> which) override {
    const auto B = static_cast<std::int64_t>(which.size());
    const at::Tensor tokens = at::empty({B, options_.length}, at::kInt);
    Batch batch{
        {}, at::empty({B * options_.pairs}, at::kLong), at::empty({B * options_.pairs}, at::kLong)};
    at::parallel_for(0, B, kMadeAtOnce, [&](std::int64_t begin, std::int64_t end) {
      Mqar maker(options_, seed_);
      std::vector<std::int32_t> queries(pairs()), answers(pairs());
      for (std::int64_t b = begin; b < end; ++b) {
        auto* row = tokens.mutable_data_ptr<std::int32_t>() + b * options_.length;
        maker.make(split, which[static_cast<std::size_t>(b)],
                   {{row, static_cast<std::size_t>(options_.length)}, queries, answers});
        auto* rows = batch.rows.mutable_data_ptr<std::int64_t>() + b * options_.pairs;
        for (const std::int32_t query : queries) *rows++ = b * options_.length + query;
        std::copy(answers.begin(), answers.end(),
                  batch.targets.mutable_data_ptr<std::int64_t>() + b * options_.pairs);
      }
    });
    batch.inputs.values = tokens.to(at::kLong);
    return batch;
  }

 private:
  std::size_t pairs() const { return static_cast<std::size_t>(options_.pairs); }

  MqarOptions options_;
  std::uint64_t seed_;
  std::array<std::int64_t, kSplits.size()> counts_{};
};

}  // namespace

std::unique_ptr<TaskData> open_mqar(const RunConfig& config, const std::filesystem::path&) {
  return std::make_unique<MqarData>(config);
}

}  // namespace runner
