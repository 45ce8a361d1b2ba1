// Data sets in our file format as tensors. Examples are padded on the right to the longest of a
// batch.
#include <ATen/ops/empty.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <vector>

#include "runner/config/keys/optim_keys.h"
#include "runner/config/keys/task_keys.h"
#include "runner/config/keys/task_row.h"
#include "runner/data/batches/augmentation.h"
#include "runner/data/batches/set_tensors.h"
#include "runner/data/batches/task_data.h"
#include "runner/data/datasets/data_file.h"
#include "runner/data/datasets/dataset.h"
#include "runner/data/datasets/own_names.h"
#include "runner/data/own/token_set.h"
#include "runner/data/tasks/example_order.h"
#include "runner/data/tasks/set_task.h"

namespace runner {
namespace {

// A run's id includes the name of every data set but the task's own.
void check_own(const RunConfig& config, const DataFile& file, const std::string& path) {
  if (config.text("task.data"_key).empty()) require_default_set(config.task().name, file, path);
}

class SetData : public TaskData {
 public:
  SetData(const RunConfig& config, const std::filesystem::path& workspace)
      : task_(config.task()),
        set_(set_facts(config)),
        outputs_(config.outputs()),
        channels_(static_cast<std::uint32_t>(config.picture_channels())),
        length_(config.integer("task.length"_key)),
        about_vocabulary_(is_tokenized(config) ? 0 : set_.vocabulary) {
    if (task_.inputs == "numbers") {
      mean_ = config.real("task.mean"_key);
      deviation_ = config.real("task.deviation"_key);
    }
    if (config.at("task.patch"_key).used) side_ = config.integer("task.patch"_key);
    if (config.at("optim.repeats"_key).used)
      repeats_ = static_cast<std::size_t>(config.integer("optim.repeats"_key));
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
    const Augmentation augmentation(config, picture_shape());
    if (augmentation.erases() || augmentation.changes_labels()) augmentation_ = augmentation;
  }

  std::int64_t vocab() const override {
    return std::max<std::int64_t>(about_vocabulary_, file(Split::kTrain).shape().vocabulary);
  }
  std::int64_t examples(Split split) const override {
    return static_cast<std::int64_t>(split == Split::kTest ? apart_ : file(split).examples());
  }
  bool prefetches() const override { return true; }

  std::vector<std::uint32_t> training_order(const OrderRequest& request) const override {
    std::vector<std::uint32_t> order = repeated(TaskData::training_order(request));
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
    Batch batch = steps_of_pixels(split, which);
    cut_into_patches(&batch);
    return batch;
  }

  Batch training_batch(const TrainingPart& part) override {
    if (!augmentation_) return batch(Split::kTrain, part.examples());
    Batch batch = steps_of_pixels(Split::kTrain, part.examples());
    const Mix mix = augmentation_->mix_of(part.number);
    std::vector<std::uint32_t> others;
    for (std::size_t i = 0; i < part.count; ++i)
      others.push_back(part.step[part.step.size() - 1 - part.first - i]);
    erase(part, false, &batch.inputs.values);
    if (augmentation_->mixes()) {
      Batch other = steps_of_pixels(Split::kTrain, others);
      erase(part, true, &other.inputs.values);
      for (std::size_t i = 0; i < part.count; ++i)
        augmentation_->mix(values_of(batch.inputs.values, i), values_of(other.inputs.values, i),
                           mix);
    }
    if (augmentation_->changes_labels()) set_shares(part.examples(), others, mix.share, &batch);
    cut_into_patches(&batch);
    return batch;
  }

 private:
  const DataFile& file(Split split) const { return files_[index_of(split)]; }
  bool has_lengths() const { return file(Split::kTrain).shape().length == 0; }

  PictureShape picture_shape() const {
    const DataShape& shape = file(Split::kTrain).shape();
    if (shape.rows == 0) return {1, shape.length, shape.channels};
    return {shape.rows, shape.columns, shape.channels};
  }

  // The first examples of an epoch, each several times in a row.
  std::vector<std::uint32_t> repeated(std::vector<std::uint32_t> order) const {
    if (repeats_ == 1) return order;
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; all.size() < order.size(); ++i)
      all.insert(all.end(), std::min(repeats_, order.size() - all.size()), order[i]);
    return all;
  }

  static std::span<float> values_of(const at::Tensor& all, std::size_t example) {
    const auto size = static_cast<std::size_t>(all.numel() / all.size(0));
    return {all.mutable_data_ptr<float>() + example * size, size};
  }

  // `mirrored`: the examples that the part's examples are mixed with.
  void erase(const TrainingPart& part, bool mirrored, const at::Tensor* x) const {
    for (std::size_t i = 0; augmentation_->erases() && i < part.count; ++i) {
      const std::size_t own = part.first + i;
      augmentation_->erase(values_of(*x, i), part.number,
                           mirrored ? part.step.size() - 1 - own : own);
    }
  }

  void set_shares(std::span<const std::uint32_t> own, const std::vector<std::uint32_t>& others,
                  double share, Batch* batch) const {
    const DataFile& from = file(Split::kTrain);
    batch->shares = at::empty({static_cast<std::int64_t>(own.size()), outputs_});
    for (std::size_t i = 0; i < own.size(); ++i)
      augmentation_->labels(values_of(batch->shares, i), from.label(own[i]), from.label(others[i]),
                            share);
  }

  // [B, pixels, channels] -> [B, patches, values of a patch]
  void cut_into_patches(Batch* batch) const {
    if (side_ == 1) return;
    const PictureShape shape = picture_shape();
    const at::Tensor& pixels = batch->inputs.values;
    const std::int64_t each = side_ * side_ * shape.channels;
    at::Tensor patches = at::empty({pixels.size(0), shape.values() / each, each});
    for (std::int64_t b = 0; b < pixels.size(0); ++b) {
      const auto example = static_cast<std::size_t>(b);
      cut_patches(values_of(pixels, example), shape, side_, values_of(patches, example));
    }
    batch->inputs.values = patches;
  }

  Batch steps_of_pixels(Split split, std::span<const std::uint32_t> which) {
    const DataFile& from = file(split);
    std::vector<std::string_view> sequences;
    for (const std::uint32_t example : which)
      for (std::uint32_t i = 0; i < from.shape().sequences; ++i)
        sequences.push_back(cut(from.sequence(example, i), from.shape()));
    Batch batch;
    const std::int64_t T = longest_of(sequences, from.shape());
    const SequenceBatch all{sequences, from.shape(), T};
    batch.inputs.values =
        task_.inputs == "tokens" ? tokens_of(all) : numbers_of(all, mean_, deviation_);
    batch.inputs.padding = padding_of(all);
    batch.targets = from.shape().classes > 0 ? labels_of(from, which) : targets_of(from, which);
    if (set_.position >= 0) {
      batch.rows = at::empty({static_cast<std::int64_t>(which.size())}, at::kLong);
      for (std::size_t b = 0; b < which.size(); ++b)
        batch.rows.mutable_data_ptr<std::int64_t>()[b] =
            static_cast<std::int64_t>(b) * T + set_.position;
    }
    return batch;
  }

  std::vector<std::uint32_t> by_length(Split split, std::vector<std::uint32_t> order) const {
    const std::vector<std::uint32_t>& lengths = lengths_[index_of(split)];
    if (has_lengths())
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return lengths[a] < lengths[b]; });
    return order;
  }

  void check(const std::string& path, const DataFile& file) const {
    const DataShape& shape = file.shape();
    const auto expect = [&](bool good, const std::string& expected, const std::string& got) {
      if (!good)
        throw std::invalid_argument("'" + path + "': task " + std::string(task_.name) +
                                    " expected " + expected + ", got " + got);
    };
    const bool labelled = task_.head != "values";
    expect(file.examples() > 0, "examples", "none");
    expect(shape.channels == channels_, std::to_string(channels_) + " values a step",
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
    if (side_ > 1) {
      const auto side = static_cast<std::uint32_t>(side_);
      expect(shape.rows > 0 && shape.rows % side == 0 && shape.columns % side == 0,
             "pictures whose sides are multiples of task.patch = " + std::to_string(side),
             std::to_string(shape.rows) + " x " + std::to_string(shape.columns) + " pixels");
      longest /= std::uint64_t{side} * side;
    }
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
    if (!set_.cut) return sequence;
    return sequence.substr(0, static_cast<std::size_t>(length_) * shape.step_bytes());
  }

  const TaskRow& task_;
  const SetFacts& set_;
  std::int64_t outputs_;
  std::uint32_t channels_;
  std::int64_t length_;
  std::int64_t about_vocabulary_;  // known before the data is read; 0: only the data tells
  std::uint64_t apart_ = 0;        // the first test example that is reported apart
  double mean_ = 0, deviation_ = 1;
  std::int64_t side_ = 1;  // of a patch
  std::size_t repeats_ = 1;
  std::optional<Augmentation> augmentation_;
  std::vector<DataFile> files_;  // by split
  std::array<std::vector<std::uint32_t>, 3> lengths_;
};

}  // namespace

std::unique_ptr<TaskData> open_set(const RunConfig& config,
                                   const std::filesystem::path& workspace) {
  return std::make_unique<SetData>(config, workspace);
}

}  // namespace runner
