#include "lcsm/layer/open_gpu.h"

#include <c10/core/Stream.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <string>

#include "lcsm/kernel/nvrtc.h"

namespace lcsm {

std::shared_ptr<Gpu> open_gpu(const Cuda& cuda, const std::filesystem::path& kernels) {
  if (const std::string missing = nvrtc_missing(); !missing.empty())
    throw CudaError("no kernels for the GPU: " + missing);
  const CudaDevice& device = cuda.devices().front();
  GpuFacts facts;
  facts.architecture = "sm_" + std::to_string(device.major) + std::to_string(device.minor);
  facts.processors = device.multiprocessors;
  facts.stream = [] {
    const c10::impl::VirtualGuardImpl guard(c10::kCUDA);
    return guard.getStream(c10::Device(c10::kCUDA, 0)).native_handle();
  };
  facts.kernels = kernels;
  return std::make_shared<Gpu>(open_driver(), std::move(facts));
}

}  // namespace lcsm
