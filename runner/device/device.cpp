#include "runner/device/device.h"

#include <algorithm>
#include <stdexcept>

#include "lcsm/layer/open_gpu.h"
#include "lcsm/machines/machines_cuda.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

// What the layers of a code with parts around it call lcsm::recurrence with.
lcsm::Variant called(const EosParts& parts) {
  if (parts.is_plain()) return parts.variant;
  return head_variant(parts, parts.heads > 1 && can_batch_heads(parts));
}

// By machines of ets/, or by LibTorch's products; the others' own loops are the CPU's.
bool runs_on_a_gpu(const ets::FamilyRow& family) {
  const auto& rows = ets::family_rows();
  return &family == &kMlp || &family == &kGlu ||
         std::find(rows.begin(), rows.end(), &family) != rows.end();
}

}  // namespace

void check_for_gpu(const ModelPlan& plan) {
  for (const LayerBlocks& layer : plan.blocks)
    for (const ets::Variant* const block : {&layer.mixer, layer.feed ? &*layer.feed : nullptr})
      if (block != nullptr && !runs_on_a_gpu(*block->family))
        throw std::invalid_argument(
            "model.system: expected one of exponential smoothing, state spaces or long "
            "convolutions on a GPU, got the block '" +
            std::string(block->family->name) +
            "': there are no machines for it yet; set run.device = \"cpu\"");
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
