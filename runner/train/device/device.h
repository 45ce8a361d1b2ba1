// Selects the device that a run trains on: run.device.
#pragma once

#include <c10/core/Device.h>

#include <filesystem>
#include <memory>
#include <string>

#include "lcsm/cuda/device/device.h"
#include "lcsm/cuda/driver/gpu.h"
#include "runner/models/families/model_tensors.h"

namespace runner {

struct ComputeDevice {
  at::Device memory = at::kCPU;    // for weights, batches and optimizer state
  std::shared_ptr<lcsm::Gpu> gpu;  // its machines compute recurrences; null: the CPU's do
  std::string name = "cpu";
  // Bytes that benches write to evict the device's caches; 0: caches stay as they are.
  std::int64_t evicted_bytes = 0;
  std::string note = {};  // log message if the host has a GPU: that it trains, or why not
};

// Throws lcsm::CudaError or std::runtime_error if there is no GPU. `kernels`: as in lcsm::open_gpu.
ComputeDevice first_gpu(const std::filesystem::path& kernels);

// Throws std::invalid_argument if kernels of many models do not fit the GPU's shared memory, as on
// GPUs for graphics.
void check_shared_memory(const lcsm::CudaDevice& gpu);

// Throws std::invalid_argument if run.device is "cuda" and the model has parts without GPU kernels,
// std::runtime_error if there is no GPU. Compiled kernels are cached in the workspace.
ComputeDevice open_device(const RunConfig& config, const ModelPlan& plan,
                          const std::filesystem::path& workspace);

}  // namespace runner
