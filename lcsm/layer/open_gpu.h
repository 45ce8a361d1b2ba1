// Opens LibTorch's GPU for our machines.
#pragma once

#include <filesystem>
#include <memory>

#include "lcsm/cuda/device/device.h"
#include "lcsm/cuda/driver/gpu.h"

namespace lcsm {

// Opens the first device. `kernels`: the folder that caches compiled kernels. Throws CudaError.
std::shared_ptr<Gpu> open_gpu(const Cuda& cuda, const std::filesystem::path& kernels);

}  // namespace lcsm
