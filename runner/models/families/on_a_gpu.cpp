#include "runner/models/families/on_a_gpu.h"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lcsm/kernel/cuda_machine.h"
#include "runner/systems/blocks.h"
#include "runner/systems/eos_rows.h"

namespace runner {
namespace {

// The variants with which the layers of a code with parts call lcsm::recurrence.
lcsm::Variant called(const EosParts& parts) {
  if (parts.is_plain()) return parts.variant;
  return head_variant(parts, parts.heads > 1 && can_batch_heads(parts));
}

// Blocks that compute on the CPU alone.
struct Refused {
  const lcsm::BlockRow* block;
  std::string_view why;
};
constexpr std::array kRefused = {
    Refused{&kReformer,
            "the sizes of its buckets depend on values, so each step would wait for the GPU"},
};

void check_code(const EosParts& parts) {
  const lcsm::Variant variant = called(parts);
  lcsm::cuda_machine_of(variant, lcsm::plan_of(variant));
}

void check_block(const lcsm::Block& block) {
  for (const Refused& refused : kRefused)
    if (refused.block == block.row)
      throw std::invalid_argument("model.system: expected a block that computes on a GPU, got '" +
                                  std::string(block.row->name) + "': " + std::string(refused.why) +
                                  "; set run.device = \"cpu\"");
  if (eos_row(*block.row) != nullptr) check_code(parts_of(block));
}

}  // namespace

void check_for_gpu(const ModelPlan& plan) {
  for (const LayerBlocks& layer : plan.blocks)
    for (const lcsm::Block* const block : {&layer.mixer, layer.feed ? &*layer.feed : nullptr})
      if (block != nullptr) check_block(*block);
  if (plan.parts) check_code(*plan.parts);
}

}  // namespace runner
