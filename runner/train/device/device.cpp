#include "runner/train/device/device.h"

#include <stdexcept>

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

ComputeDevice open_device(const RunConfig& config, const ModelPlan& plan,
                          const std::filesystem::path& workspace) {
  if (config.is("run.device"_key, "cpu")) return {};
  const bool must = config.is("run.device"_key, "cuda");
  if (must) check_for_gpu(plan);
  ComputeDevice device;
  try {
    lcsm::open_cuda();
    check_for_gpu(plan);
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
