// The examples of a task as tensors, by its reader (tasks/task.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "runner/base/random/split.h"
#include "runner/config/run/run_config.h"
#include "runner/data/batches/batch.h"

namespace runner {

// The order of an epoch's examples.
struct OrderRequest {
  bool shuffled = true;
  bool consecutive = false;  // for texts
  std::size_t batch = 1;
  std::uint64_t seed = 1, epoch = 0;
};

// Some examples of a training step, and all of the step's examples, since they may be mixed with
// each other.
struct TrainingPart {
  std::span<const std::uint32_t> step;
  std::size_t first = 0, count = 0;
  std::uint64_t number = 1, epoch = 0;  // of the step

  std::span<const std::uint32_t> examples() const { return step.subspan(first, count); }
};

class SentenceSet;

class TaskData {
 public:
  virtual ~TaskData() = default;

  virtual std::int64_t vocab() const = 0;
  virtual std::int64_t examples(Split split) const = 0;
  virtual Batch batch(Split split, std::span<const std::uint32_t> examples) = 0;
  // A function of the numbers of the step and the epoch.
  virtual Batch training_batch(const TrainingPart& part) {
    return batch(Split::kTrain, part.examples());
  }

  // A function of the request alone, so that a run resumes in the middle of an epoch by its
  // position.
  virtual std::vector<std::uint32_t> training_order(const OrderRequest& request) const;
  virtual std::vector<std::uint32_t> evaluation_order(Split split) const;
  // Further examples in the split's file, which are reported separately.
  virtual std::vector<std::uint32_t> order_apart(Split) const { return {}; }

  // The pairs of sentences of a translation task; null for other tasks.
  virtual const SentenceSet* sentences() const { return nullptr; }

  // True if batch() may be called on another thread and starts no threads itself.
  virtual bool prefetches() const { return false; }
};

// Reads or prepares what the task needs. Throws DataMissing.
std::unique_ptr<TaskData> open_task(const RunConfig& config,
                                    const std::filesystem::path& workspace);

// Opens the data of a task.
using OpenTask = std::unique_ptr<TaskData>(const RunConfig& config,
                                           const std::filesystem::path& workspace);
OpenTask open_mqar, open_text, open_set, open_sentences;

}  // namespace runner
