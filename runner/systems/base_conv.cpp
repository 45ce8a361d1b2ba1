// BaseConv of zoology: conv(x) (W x + b) + x, a causal convolution of each channel.
#include <array>
#include <cmath>

#include "ets/families/tensor_list.h"
#include "runner/systems/blocks.h"

namespace runner {
namespace {

using Group = ets::TensorList::Group;

constexpr std::array kBaseConvOptions = {
    ets::integer("taps", "3", 1, "the length of the convolution", "conv.weight", 1),
};

ets::Parameters tensors_of_base_conv(const ets::Variant& v) {
  const std::int64_t taps = v.options.integer("taps");
  const auto uniform = [taps](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(taps));
  };
  ets::TensorList tensors;
  tensors.put_around("conv.weight", {v.d, taps}, Group::kMatrices, uniform);
  tensors.put_around("conv.bias", {v.d}, Group::kNorm, uniform);
  tensors.put_linear("gate", v.d, v.d);
  return tensors.take();
}

}  // namespace

const ets::FamilyRow kBaseConv = {
    "base-conv",           "a short convolution times a projection (zoology)",
    ets::Lag::kCausalOnly, kBaseConvOptions,
    tensors_of_base_conv,  [](const ets::Variant&) {}};

}  // namespace runner
