#include "runner/train/device/step_graphs.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <array>

namespace runner {
namespace {

// Batches by length have many shapes; graphs of the rare ones are not worth their memory.
constexpr std::size_t kMostShapes = 32;

template <class OneBatch>
auto tensors_of(OneBatch& batch) {
  return std::array{&batch.inputs.values, &batch.inputs.padding,
                    &batch.inputs.source, &batch.inputs.source_padding,
                    &batch.rows,          &batch.targets,
                    &batch.shares};
}

std::vector<std::int64_t> shape_of(const std::vector<Batch>& parts) {
  std::vector<std::int64_t> shape;
  for (const Batch& part : parts)
    for (const at::Tensor* tensor : tensors_of(part)) {
      shape.push_back(tensor->defined() ? tensor->dim() : -1);
      if (!tensor->defined()) continue;
      shape.insert(shape.end(), tensor->sizes().begin(), tensor->sizes().end());
    }
  return shape;
}

StepInputs inputs_like(const std::vector<Batch>& parts, at::Device device) {
  const at::TensorOptions there(device);
  StepInputs inputs{parts, at::empty({}, there.dtype(at::kDouble)),
                    at::empty({}, there.dtype(at::kLong))};
  for (Batch& part : inputs.parts)
    for (at::Tensor* tensor : tensors_of(part))
      if (tensor->defined()) *tensor = at::empty_like(*tensor, tensor->options().device(device));
  return inputs;
}

at::Tensor pinned(const at::Tensor& tensor, at::Device device) {
  return device.is_cuda() ? tensor.pin_memory() : tensor;
}

void fill(const std::vector<Batch>& parts, at::Device device, StepInputs* inputs) {
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const auto from = tensors_of(parts[n]);
    const auto to = tensors_of(inputs->parts[n]);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i]->defined()) to[i]->copy_(pinned(*from[i], device), /*non_blocking=*/true);
  }
}

}  // namespace

Batch moved(const Batch& batch, at::Device device) {
  Batch there = batch;
  if (device.is_cuda())
    for (at::Tensor* tensor : tensors_of(there))
      if (tensor->defined()) *tensor = pinned(*tensor, device).to(device, /*non_blocking=*/true);
  return there;
}

void StepGraphs::run(std::int64_t number, const std::vector<Batch>& parts, double rate,
                     const Queue& queue) {
  const std::vector<std::int64_t> shape = shape_of(parts);
  const auto found = shapes_.find(shape);
  const bool seen = found != shapes_.end();
  Shape first;
  if (!seen) first.inputs = inputs_like(parts, device_.memory);
  Shape& step = seen ? found->second : first;
  fill(parts, device_.memory, &step.inputs);
  step.inputs.rate.fill_(rate);
  step.inputs.step.fill_(number);
  if (!seen) {
    queue(step.inputs);
    if (captures_ && shapes_.size() < kMostShapes) shapes_[shape] = std::move(first);
    return;
  }
  if (!step.graph) {
    step.graph = device_.gpu->graph();
    step.graph->capture([queue, inputs = step.inputs] { queue(inputs); });
    ++captured_;
  }
  step.graph->replay();
}

}  // namespace runner
