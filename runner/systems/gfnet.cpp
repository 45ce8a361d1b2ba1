// GFNet (Rao et al. 2021): a learned filter of each channel over all frequencies.
#include <array>

#include "runner/systems/attention.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

constexpr std::array kGfnetOptions = {
    lcsm::integer("length", "512", 1, "positions of the circle, at least those of a sequence"),
};

lcsm::Parameters tensors_of_gfnet(const lcsm::Block& v) {
  lcsm::BlockTensors tensors;
  tensors.put_normal("filter", {v.options.integer("length") / 2 + 1, v.d, 2},
                     lcsm::BlockTensors::Group::kGate, 0, 0.02);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kGfnet = {
    "gfnet",
    "a learned filter over all frequencies; two-sided only (Rao et al. 2021)",
    lcsm::Lag::kCausalOnly,
    kGfnetOptions,
    tensors_of_gfnet,
    [](const lcsm::Block&) {}};

}  // namespace runner
