// Toeplitz neural networks: a gated layer whose kernel a small network makes of the lag.
#include <array>
#include <cmath>

#include "ets/families/family.h"
#include "lcsm/block/block_tensors.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kTnnOptions = {
    lcsm::flag("bidirectional", false, "coefficients of negative lags too"),
    lcsm::integer("channels", "0", 0, "channels of the kernel; 0: three times those of the layer",
                  "coefficient.weight", 0),
    lcsm::integer("width", "64", 1, "width of the network of lags", "position.weight", 0),
    lcsm::integer("layers", "6", 1, "layers of that width between the first and the last",
                  "hidden.weight", 0),
    lcsm::number("gamma", "0.99", 0, 1, "the decay of a coefficient per step of lag"),
};

lcsm::Parameters tensors_of_tnn(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("channels"), c = asked == 0 ? 3 * v.d : asked,
                     r = v.options.integer("width"), n = v.options.integer("layers");
  lcsm::BlockTensors tensors;
  for (const char* name : {"gate", "value"}) tensors.put_linear(name, c, v.d);
  tensors.put_linear("position", r, 1, /*of_kernel=*/true);
  const auto uniform = [r](lcsm::Random& random) {
    return (2 * random.uniform() - 1) / std::sqrt(static_cast<double>(r));
  };
  tensors.put_each("hidden.weight", {n, r, r}, Group::kMatrices, "uniform / sqrt(width)", uniform);
  tensors.put_each("hidden.bias", {n, r}, Group::kNorm, "uniform / sqrt(width)", uniform);
  tensors.put_linear("coefficient", c, r, /*of_kernel=*/true);
  tensors.put_linear("output", v.d, c);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kTnn = {"tnn",           "a gated layer whose kernel is a network of the lag",
                             lcsm::Lag::kOne, kTnnOptions,
                             tensors_of_tnn,  nullptr};

}  // namespace ets
