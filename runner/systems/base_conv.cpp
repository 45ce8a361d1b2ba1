// BaseConv of zoology: conv(x) (W x + b) + x, a causal convolution of each channel.
#include <array>
#include <cmath>

#include "lcsm/block/block_tensors.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kBaseConvOptions = {
    lcsm::integer("taps", "3", 1, "the length of the convolution", "conv.weight", 1),
};

lcsm::Parameters tensors_of_base_conv(const lcsm::Block& v) {
  const std::int64_t taps = v.options.integer("taps");
  const auto uniform = [taps](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(taps));
  };
  lcsm::BlockTensors tensors;
  tensors.put_around("conv.weight", {v.d, taps}, Group::kMatrices, uniform);
  tensors.put_around("conv.bias", {v.d}, Group::kNorm, uniform);
  tensors.put_linear("gate", v.d, v.d);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kBaseConv = {"base-conv",
                                  "a short convolution times a projection (zoology)",
                                  lcsm::Lag::kCausalOnly,
                                  kBaseConvOptions,
                                  tensors_of_base_conv,
                                  [](const lcsm::Block&) {}};

}  // namespace runner
