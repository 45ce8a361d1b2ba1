#include "runner/systems/bigbird.h"

#include <stdexcept>

namespace runner {

lcsm::Parameters Bigbird::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  put_qkv(d, &tensors);
  put_output(d, &tensors);
  return tensors.take();
}

void Bigbird::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (window % 2 == 0)
    throw std::invalid_argument("bigbird: option 'window': expected an odd number, got " +
                                std::to_string(window));
}

lcsm::Mixing Bigbird::mixing(std::int64_t d, double steps) const {
  const double seen = lcsm::real((window + global + random) * block), width = lcsm::real(d);
  return lcsm::pairs("attention over chosen blocks", width, width, std::min(steps, seen), steps);
}

}  // namespace runner
