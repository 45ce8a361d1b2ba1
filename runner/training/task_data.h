// The examples of a task as tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <span>

#include "runner/config/run_config.h"
#include "runner/tasks/random.h"

namespace runner {

struct Batch {
  at::Tensor tokens;   // [B, T], int64
  at::Tensor rows;     // [N]: the places in [B T] that are scored; undefined: all of them
  at::Tensor targets;  // [N]
};

class TaskData {
 public:
  virtual ~TaskData() = default;

  virtual std::int64_t vocab() const = 0;
  virtual std::int64_t examples(Domain split) const = 0;
  virtual Batch batch(Domain split, std::span<const std::uint32_t> examples) = 0;
};

// Reads or prepares what the task needs: DataMissing when it is not there.
std::unique_ptr<TaskData> open_task(const RunConfig& config);

}  // namespace runner
