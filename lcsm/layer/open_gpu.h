// From the device that LibTorch computes on to the GPU of our machines.
#pragma once

#include <filesystem>
#include <memory>

#include "lcsm/cuda/device.h"
#include "lcsm/kernel/gpu.h"

namespace lcsm {

// The first device. `kernels`: the folder where compiled kernels are kept. Throws CudaError.
std::shared_ptr<Gpu> open_gpu(const Cuda& cuda, const std::filesystem::path& kernels);

}  // namespace lcsm
