// The GPU of Python's LibTorch on which a call computes.
#pragma once

#include "lcsm/cuda/driver/gpu_or_cpu.h"
#include "lcsm/stable/extras.h"

namespace runner {

// Null for the CPU. A GPU is opened once. Throws std::invalid_argument for other devices,
// lcsm::CudaError.
lcsm::GpuOrCpu gpu_of(const at::Device& device);

// During its lifetime, the device is LibTorch's current device, which our launches set.
class CurrentDevice {
 public:
  explicit CurrentDevice(const at::Device& device);
  ~CurrentDevice();
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;

 private:
  DeviceGuardHandle guard_ = nullptr;
};

}  // namespace runner
