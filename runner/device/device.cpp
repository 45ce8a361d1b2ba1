#include "runner/device/device.h"

#include <stdexcept>

#include "lcsm/layer/open_gpu.h"
#include "lcsm/machines/machines_cuda.h"

namespace runner {
namespace {

// What the layers of a code with parts around it call lcsm::recurrence with.
lcsm::Variant called(const EosParts& parts) {
  if (parts.is_plain()) return parts.variant;
  return head_variant(parts, parts.heads > 1 && can_batch_heads(parts));
}

}  // namespace

void check_for_gpu(const ModelPlan& plan) {
  if (!plan.blocks.empty())
    throw std::invalid_argument(
        "model.family: expected a code or attention on a GPU, got a named system: there are no "
        "machines for these yet; set run.device = \"cpu\"");
  if (!plan.parts) return;
  const lcsm::Variant variant = called(*plan.parts);
  lcsm::cuda_machine_of(variant, lcsm::plan_of(variant));
}

ComputeDevice first_gpu(const std::filesystem::path& kernels) {
  const lcsm::Cuda cuda = lcsm::open_cuda();
  const std::string& name = cuda.devices().front().name;
  return {at::Device(at::kCUDA, 0), lcsm::open_gpu(cuda, kernels), name,
          "trains on the GPU " + name};
}

ComputeDevice open_device(const RunConfig& config, const ModelPlan& plan,
                          const std::filesystem::path& workspace) {
  if (config.is("run.device", "cpu")) return {};
  const bool must = config.is("run.device", "cuda");
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
