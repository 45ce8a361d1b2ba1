#include "runner/models/families/on_a_gpu.h"

#include <stdexcept>
#include <string>

#include "lcsm/cuda/cuda_machine.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

// The variants with which the layers of a code with parts call lcsm::recurrence.
lcsm::Variant called(const EosParts& parts) {
  if (parts.is_plain()) return parts.variant;
  return head_variant(parts, parts.heads > 1 && can_batch_heads(parts));
}

void check_code(const EosParts& parts) {
  const lcsm::Variant variant = called(parts);
  lcsm::cuda_machine_of(variant, lcsm::plan_of(variant));
}

void check_block(const lcsm::Block& block) {
  if (!block.row->cpu_only.empty())
    throw std::invalid_argument("model.system: expected a block that computes on a GPU, got '" +
                                std::string(block.row->name) + "': " +
                                std::string(block.row->cpu_only) + "; set run.device = \"cpu\"");
  if (const auto parts = parts_of(block)) check_code(*parts);
}

}  // namespace

void check_for_gpu(const OptimizerRow& optimizer) {
  if (!optimizer.on_gpu)
    throw std::invalid_argument("optim.name: expected an optimizer that computes on a GPU, got '" +
                                std::string(optimizer.name) + "'; set run.device = \"cpu\"");
}

void check_for_gpu(const ModelPlan& plan) {
  check_for_gpu(plan.config.optimizer());
  for (const LayerBlocks& layer : plan.blocks)
    for (const lcsm::Block* const block : {&layer.mixer, layer.feed ? &*layer.feed : nullptr,
                                           layer.decoder ? &layer.decoder->mixer : nullptr})
      if (block != nullptr) check_block(*block);
  if (plan.parts) check_code(*plan.parts);
}

}  // namespace runner
