#include "runner/systems/base_conv.h"

#include <cmath>

#include "lcsm/block/block_tensors.h"

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters BaseConv::tensors(std::int64_t d) const {
  const auto uniform = [taps = taps](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(taps));
  };
  lcsm::BlockTensors tensors;
  tensors.put_around("conv.weight", {d, taps}, Group::kMatrices, uniform);
  tensors.put_around("conv.bias", {d}, Group::kNorm, uniform);
  tensors.put_linear("gate", d, d);
  return tensors.take();
}

lcsm::Mixing BaseConv::mixing(std::int64_t d, double) const {
  return {"short convolution", lcsm::convolution(lcsm::real(taps), lcsm::real(d)),
          lcsm::real((taps - 1) * d)};
}

}  // namespace runner
