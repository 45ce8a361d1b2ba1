// Data sets in our file format as tensors. Examples are padded on the right to the longest of a
// batch.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_rows.h"
#include "runner/data/batches/task_data.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/dataset.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/own/token_set.h"
#include "runner/data/tasks/example_order.h"
#include "runner/data/tasks/set_task.h"

namespace runner {
namespace {

constexpr double kByteScale = 255;  // pixels are 0 to 1 before they are normalised

// Accepts only a task's default data set as generated, or as imported under its name if it is not
// generated: another one would have the same run id.
void check_own(const RunConfig& config, const DataFile& file, const std::string& path) {
  if (!config.text("task.data"_key).empty()) return;
  const std::string_view task = config.task().name;
  const auto found = read_recipe(file.recipe());
  const DatasetRow* row = find_dataset(task);
  const bool as_made = row != nullptr && found && found->recipe == default_recipe(*row);
  if (as_made || (row == nullptr && recipe_name(file.recipe()) == task)) return;
  throw std::invalid_argument("'" + path +
                              "': expected the default data set, got another one: name it with "
                              "task.data (lcsm data " +
                              (row != nullptr ? "make" : "get") + " --as)");
}

class SetData : public TaskData {
 public:
  SetData(const RunConfig& config, const std::filesystem::path& workspace)
      : task_(config.task()),
        set_(set_facts(config)),
        outputs_(config.outputs()),
        length_(config.integer("task.length"_key)),
        about_vocabulary_(is_tokenized(config) ? 0 : set_.vocabulary) {
    if (task_.inputs == "numbers") {
      mean_ = config.real("task.mean"_key);
      deviation_ = config.real("task.deviation"_key);
    }
    for (const FilePart& part : token_set_files(config, workspace)) {
      files_.emplace_back(part.file.string());
      check(part.file.string(), files_.back());
      if (!is_tokenized(config)) check_own(config, files_.back(), part.file.string());
    }
    if (is_tokenized(config))
      for (const FilePart& part : set_files(config, workspace))
        check_own(config, DataFile(part.file.string()), part.file.string());
    for (const Split split : kSplits) lengths_[index_of(split)] = lengths_of(split);
    const DataFile& test = files_.back();
    apart_ = std::min(first_apart(test.recipe()).value_or(test.examples()), test.examples());
  }

  std::int64_t vocab() const override {
    return std::max<std::int64_t>(about_vocabulary_, file(Split::kTrain).shape().vocabulary);
  }
  std::int64_t examples(Split split) const override {
    return static_cast<std::int64_t>(split == Split::kTest ? apart_ : file(split).examples());
  }
  bool prefetches() const override { return true; }

  std::vector<std::uint32_t> training_order(const OrderRequest& request) const override {
    std::vector<std::uint32_t> order = TaskData::training_order(request);
    if (!request.shuffled || !has_lengths()) return order;
    return order_by_length(std::move(order), lengths_[index_of(Split::kTrain)], request.batch,
                           request.seed, request.epoch);
  }

  std::vector<std::uint32_t> evaluation_order(Split split) const override {
    return by_length(split, TaskData::evaluation_order(split));
  }

  std::vector<std::uint32_t> order_apart(Split split) const override {
    if (split != Split::kTest) return {};
    std::vector<std::uint32_t> order(file(split).examples() - apart_);
    std::iota(order.begin(), order.end(), static_cast<std::uint32_t>(apart_));
    return by_length(split, std::move(order));
  }

  Batch batch(Split split, std::span<const std::uint32_t> which) override {
    const DataFile& from = file(split);
    std::vector<std::string_view> sequences;
    for (const std::uint32_t example : which)
      for (std::uint32_t i = 0; i < from.shape().sequences; ++i)
        sequences.push_back(cut(from.sequence(example, i), from.shape()));
    Batch batch;
    const std::int64_t T = longest(sequences, from.shape());
    batch.inputs.values = task_.inputs == "tokens" ? tokens(sequences, from.shape(), T)
                                                   : numbers(sequences, from.shape(), T);
    batch.inputs.padding = padding(sequences, from.shape(), T);
    batch.targets = from.shape().classes > 0 ? labels(from, which) : targets(from, which);
    if (set_.position >= 0) {
      batch.rows = at::empty({static_cast<std::int64_t>(which.size())}, at::kLong);
      for (std::size_t b = 0; b < which.size(); ++b)
        batch.rows.mutable_data_ptr<std::int64_t>()[b] =
            static_cast<std::int64_t>(b) * T + set_.position;
    }
    return batch;
  }

 private:
  std::vector<std::uint32_t> by_length(Split split, std::vector<std::uint32_t> order) const {
    const std::vector<std::uint32_t>& lengths = lengths_[index_of(split)];
    if (has_lengths())
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return lengths[a] < lengths[b]; });
    return order;
  }

  const DataFile& file(Split split) const { return files_[index_of(split)]; }
  bool has_lengths() const { return file(Split::kTrain).shape().length == 0; }

  void check(const std::string& path, const DataFile& file) const {
    const DataShape& shape = file.shape();
    const auto expect = [&](bool good, const std::string& expected, const std::string& got) {
      if (!good)
        throw std::invalid_argument("'" + path + "': task " + std::string(task_.name) +
                                    " expected " + expected + ", got " + got);
    };
    const bool labelled = task_.head != "values";
    expect(file.examples() > 0, "examples", "none");
    expect(shape.channels == task_.channels, std::to_string(task_.channels) + " values a step",
           std::to_string(shape.channels));
    expect(shape.sequences == (task_.head == "pairs" ? 2 : 1),
           task_.head == "pairs" ? "two documents an example" : "one sequence an example",
           std::to_string(shape.sequences));
    expect(labelled == (shape.classes > 0), labelled ? "labels" : "targets",
           labelled ? "targets" : "labels");
    expect(!labelled || shape.classes <= outputs_,
           "at most " + std::to_string(outputs_) + " classes", std::to_string(shape.classes));
    expect(labelled || shape.targets == set_.scored * outputs_,
           std::to_string(set_.scored * outputs_) + " targets", std::to_string(shape.targets));
    std::uint64_t longest = 0, shortest = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < file.examples(); ++i)
      for (std::uint32_t s = 0; s < shape.sequences; ++s) {
        longest = std::max(longest, file.steps_of(i, s));
        shortest = std::min(shortest, file.steps_of(i, s));
      }
    expect(shortest > 0, "sequences with steps", "an empty one");
    expect(set_.cut || longest <= static_cast<std::uint64_t>(length_),
           "sequences of at most task.length = " + std::to_string(length_) + " steps",
           std::to_string(longest));
  }

  std::vector<std::uint32_t> lengths_of(Split split) const {
    if (!has_lengths()) return {};
    const DataFile& from = file(split);
    std::vector<std::uint32_t> lengths(from.examples());
    for (std::uint32_t i = 0; i < lengths.size(); ++i)
      for (std::uint32_t s = 0; s < from.shape().sequences; ++s)
        lengths[i] =
            std::max(lengths[i], static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                     from.steps_of(i, s), static_cast<std::uint64_t>(length_))));
    return lengths;
  }

  std::string_view cut(std::string_view sequence, const DataShape& shape) const {
    return sequence.substr(0, static_cast<std::size_t>(length_) * shape.step_bytes());
  }

  static std::int64_t longest(const std::vector<std::string_view>& sequences,
                              const DataShape& shape) {
    std::size_t bytes = 0;
    for (const std::string_view each : sequences) bytes = std::max(bytes, each.size());
    return static_cast<std::int64_t>(bytes / shape.step_bytes());
  }

  // Loops instead of tensor operations: a thread that reads ahead must not start a pool of threads.
  static at::Tensor tokens(const std::vector<std::string_view>& sequences, const DataShape& shape,
                           std::int64_t T) {
    at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T}, at::kLong);
    auto* into = all.mutable_data_ptr<std::int64_t>();
    for (const std::string_view each : sequences) {
      const std::size_t steps = each.size() / shape.step_bytes();
      for (std::size_t t = 0; t < steps; ++t)
        into[t] = static_cast<std::int64_t>(value_of(each, shape.element, t));
      std::fill(into + steps, into + T, 0);
      into += T;
    }
    return all;
  }

  // (x / 255 of bytes - mean) / deviation, [B, T, channels]
  at::Tensor numbers(const std::vector<std::string_view>& sequences, const DataShape& shape,
                     std::int64_t T) const {
    at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T, shape.channels});
    auto* into = all.mutable_data_ptr<float>();
    const double scale = shape.element == Element::kByte ? kByteScale : 1;
    const std::size_t row = static_cast<std::size_t>(T) * shape.channels;
    for (const std::string_view each : sequences) {
      const std::size_t count = each.size() / bytes_of(shape.element);
      for (std::size_t i = 0; i < count; ++i)
        into[i] =
            static_cast<float>((value_of(each, shape.element, i) / scale - mean_) / deviation_);
      std::fill(into + count, into + row, 0.0f);
      into += row;
    }
    return all;
  }

  static at::Tensor padding(const std::vector<std::string_view>& sequences, const DataShape& shape,
                            std::int64_t T) {
    const auto whole = static_cast<std::size_t>(T) * shape.step_bytes();
    if (std::all_of(sequences.begin(), sequences.end(),
                    [&](std::string_view each) { return each.size() == whole; }))
      return {};
    at::Tensor all = at::empty({static_cast<std::int64_t>(sequences.size()), T}, at::kBool);
    bool* into = all.mutable_data_ptr<bool>();
    for (const std::string_view each : sequences) {
      const std::size_t steps = each.size() / shape.step_bytes();
      std::fill(into, into + steps, false);
      std::fill(into + steps, into + T, true);
      into += T;
    }
    return all;
  }

  static at::Tensor labels(const DataFile& from, std::span<const std::uint32_t> which) {
    at::Tensor all = at::empty({static_cast<std::int64_t>(which.size())}, at::kLong);
    auto* into = all.mutable_data_ptr<std::int64_t>();
    for (const std::uint32_t example : which) *into++ = from.label(example);
    return all;
  }

  // [B scored outputs]
  static at::Tensor targets(const DataFile& from, std::span<const std::uint32_t> which) {
    const auto each = static_cast<std::int64_t>(from.shape().targets);
    at::Tensor all = at::empty({static_cast<std::int64_t>(which.size()) * each});
    auto* into = all.mutable_data_ptr<float>();
    for (const std::uint32_t example : which) {
      const std::span<const float> wanted = from.targets(example);
      into = std::copy(wanted.begin(), wanted.end(), into);
    }
    return all;
  }

  const TaskRow& task_;
  const SetFacts& set_;
  std::int64_t outputs_;
  std::int64_t length_;
  std::int64_t about_vocabulary_;  // known before the data is read; 0: only the data tells
  std::uint64_t apart_ = 0;        // the first test example that is reported apart
  double mean_ = 0, deviation_ = 1;
  std::vector<DataFile> files_;  // by split
  std::array<std::vector<std::uint32_t>, 3> lengths_;
};

}  // namespace

std::unique_ptr<TaskData> open_set(const RunConfig& config,
                                   const std::filesystem::path& workspace) {
  return std::make_unique<SetData>(config, workspace);
}

}  // namespace runner
