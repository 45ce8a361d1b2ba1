#include "ets/families/tnn.h"

#include <cmath>

#include "lcsm/block/block_tensors.h"

namespace ets {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Tnn::tensors(std::int64_t d) const {
  const std::int64_t c = channels == 0 ? 3 * d : channels, r = width, n = layers;
  lcsm::BlockTensors tensors;
  for (const char* name : {"gate", "value"}) tensors.put_linear(name, c, d);
  tensors.put_linear("position", r, 1, /*of_kernel=*/true);
  const auto uniform = [r](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(r));
  };
  tensors.put_each("hidden.weight", {n, r, r}, Group::kMatrices, "uniform / sqrt(width)", uniform);
  tensors.put_each("hidden.bias", {n, r}, Group::kNorm, "uniform / sqrt(width)", uniform);
  tensors.put_linear("coefficient", c, r, /*of_kernel=*/true);
  tensors.put_linear("output", d, c);
  return tensors.take();
}

lcsm::Mixing Tnn::mixing(std::int64_t d, double steps) const {
  const double c = lcsm::real(channels > 0 ? channels : 3 * d);
  return {"convolution by FFT", lcsm::fft_convolution_flops(c, 2 * steps), c * steps};
}

}  // namespace ets
