#include "runner/train/device/device.h"

#include <stdexcept>

#include "lcsm/cuda/scan/scan_cuda.h"
#include "lcsm/layer/open_gpu.h"
#include "runner/config/keys/run_keys.h"
#include "runner/models/families/on_a_gpu.h"

namespace runner {

ComputeDevice first_gpu(const std::filesystem::path& kernels) {
  constexpr std::int64_t kMoreThanCaches = 256 << 20;
  const lcsm::Cuda cuda = lcsm::open_cuda();
  const std::string& name = cuda.devices().front().name;
  return {at::Device(at::kCUDA, 0), lcsm::open_gpu(cuda, kernels), name, kMoreThanCaches,
          "trains on the GPU " + name};
}

void check_shared_memory(const lcsm::CudaDevice& gpu) {
  if (gpu.shared_bytes >= lcsm::kScanMostBytes) return;
  throw std::invalid_argument("the GPU " + gpu.name + " gives a block " +
                              std::to_string(gpu.shared_bytes / 1024) +
                              " KiB of shared memory, and kernels of many models need up to " +
                              std::to_string(lcsm::kScanMostBytes / 1024) +
                              "; run.device = \"cuda\" trains on it if "
                              "those of this model fit");
}

ComputeDevice open_device(const RunConfig& config, const ModelPlan& plan,
                          const std::filesystem::path& workspace) {
  if (config.is("run.device"_key, "cpu")) return {};
  const bool must = config.is("run.device"_key, "cuda");
  if (must) check_for_gpu(plan);
  ComputeDevice device;
  try {
    const lcsm::Cuda cuda = lcsm::open_cuda();
    check_for_gpu(plan);
    if (!must) check_shared_memory(cuda.devices().front());
    device = first_gpu(workspace / "kernels");
  } catch (const std::invalid_argument& missing) {
    device.note = std::string("trains on the CPU: ") + missing.what();
  } catch (const lcsm::CudaError& error) {
    if (must) throw;
    device.note = std::string("trains on the CPU: ") + error.what();
  } catch (const std::runtime_error&) {  // no GPU
    if (must) throw;
  }
  return device;
}

}  // namespace runner
