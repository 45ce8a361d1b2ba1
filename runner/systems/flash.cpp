// FLASH (Hua et al. 2022): a gated attention unit, quadratic inside chunks and linear between them.
#include <array>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kFlashOptions = {
    kBidirectional,
    lcsm::integer("size", "0", 0, "channels of gate and value; 0: 2 d", "gate.weight", 0),
    lcsm::integer("shared", "128", 1, "channels that queries and keys share", "shared.weight", 0),
    lcsm::integer("chunk", "256", 1, "positions per chunk"),
};

lcsm::Parameters tensors_of_flash(const lcsm::Block& v) {
  using Group = lcsm::BlockTensors::Group;
  const std::int64_t s = v.options.integer("shared"), chunk = v.options.integer("chunk"),
                     given = v.options.integer("size"), size = given > 0 ? given : 2 * v.d;
  lcsm::BlockTensors tensors;
  tensors.put_linear("gate", size, v.d);
  tensors.put_linear("value", size, v.d);
  tensors.put_linear("shared", s, v.d);
  tensors.put_normal("scale", {4, s}, Group::kNorm, 0, 0.02);
  tensors.put_constant("offset", {4, s}, Group::kNorm, 0);
  tensors.put_normal("position_bias", {v.options.flag("bidirectional") ? 2 * chunk - 1 : chunk},
                     Group::kNorm, 0, 0.02);
  tensors.put_linear("output", v.d, size);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kFlash = {"flash",
                               "gated attention, squared relu in chunks and linear between them "
                               "(Hua et al. 2022)",
                               lcsm::Lag::kCausalOnly,
                               kFlashOptions,
                               tensors_of_flash,
                               [](const lcsm::Block&) {}};

}  // namespace runner
