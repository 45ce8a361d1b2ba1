// Queues each training step on a GPU with one call: captured once per shape of batch, then
// replayed.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "lcsm/cuda/driver/device_graph.h"
#include "runner/data/batches/batch.h"
#include "runner/train/device/device.h"

namespace runner {

// Copies a batch to the device without waiting for it.
Batch moved(const Batch& batch, at::Device device);

// A step's inputs from the host, on the device. All steps of one shape share the tensors.
struct StepInputs {
  std::vector<Batch> parts;
  at::Tensor rate;  // [] float64
  at::Tensor step;  // [] int64, the step's number
};

class StepGraphs {
 public:
  // Queues a step. It may use only `inputs` and values that never change from the host.
  using Queue = std::function<void(const StepInputs& inputs)>;

  // `captures` false: every step is queued call by call.
  StepGraphs(const ComputeDevice& device, bool captures) : device_(device), captures_(captures) {}

  // The first step of a shape is queued call by call, the second captured.
  void run(std::int64_t step, const std::vector<Batch>& parts, double rate, const Queue& queue);

  std::int64_t captured() const { return captured_; }

 private:
  struct Shape {
    StepInputs inputs;
    std::unique_ptr<lcsm::DeviceGraph> graph;
  };

  const ComputeDevice device_;
  const bool captures_;
  std::map<std::vector<std::int64_t>, Shape> shapes_;
  std::int64_t captured_ = 0;
};

}  // namespace runner
