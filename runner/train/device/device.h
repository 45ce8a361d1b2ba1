// Selects the device that a run trains on: run.device.
#pragma once

#include <c10/core/Device.h>

#include <filesystem>
#include <memory>
#include <string>

#include "lcsm/cuda/driver/gpu.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

struct ComputeDevice {
  at::Device memory = at::kCPU;    // of weights, batches and the optimizer's state
  std::shared_ptr<lcsm::Gpu> gpu;  // whose machines compute recurrences; null: the CPU's
  std::string name = "cpu";
  // Bytes that benches write to empty the device's caches, more than these hold; 0: the caches stay
  // as they are.
  std::int64_t evicted_bytes = 0;
  std::string note = {};  // log message if the host has a GPU: that it trains, or why not
};

// Throws lcsm::CudaError or std::runtime_error where there is none. `kernels`: as lcsm::open_gpu.
ComputeDevice first_gpu(const std::filesystem::path& kernels);

// Throws std::invalid_argument if run.device is "cuda" and the model has parts that no GPU computes
// yet, std::runtime_error if there is no GPU. Compiled kernels are cached in the workspace.
ComputeDevice open_device(const RunConfig& config, const ModelPlan& plan,
                          const std::filesystem::path& workspace);

}  // namespace runner
