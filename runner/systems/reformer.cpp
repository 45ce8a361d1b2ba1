#include "runner/systems/reformer.h"

#include <stdexcept>

namespace runner {

lcsm::Parameters Reformer::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_linear("query", d, d);
  tensors.put_linear("value", d, d);
  put_output(d, &tensors);
  return tensors.take();
}

void Reformer::check(std::int64_t d) const {
  check_heads(kName, d, heads);
  if (buckets != 1 && buckets % 2 != 0)
    throw std::invalid_argument("reformer: option 'buckets': expected 1 or an even number, got " +
                                std::to_string(buckets));
}

lcsm::Mixing Reformer::mixing(std::int64_t d, double steps) const {
  const double seen = lcsm::real(2 * chunk * rounds), width = lcsm::real(d);
  return lcsm::pairs("attention over chunks of sorted steps", width, width, std::min(steps, seen),
                     steps);
}

}  // namespace runner
