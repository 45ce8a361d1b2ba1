#include "runner/systems/flash.h"

#include "runner/systems/attention.h"

namespace runner {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Flash::tensors(std::int64_t d) const {
  const std::int64_t inside = size_or(size, 2 * d);
  lcsm::BlockTensors tensors;
  tensors.put_linear("gate", inside, d);
  tensors.put_linear("value", inside, d);
  tensors.put_linear("shared", shared, d);
  tensors.put_normal("scale", {4, shared}, Group::kNorm, 0, 0.02);
  tensors.put_constant("offset", {4, shared}, Group::kNorm, 0);
  tensors.put_normal("position_bias", {bidirectional ? 2 * chunk - 1 : chunk}, Group::kNorm, 0,
                     0.02);
  tensors.put_linear("output", d, inside);
  return tensors.take();
}

lcsm::Mixing Flash::mixing(std::int64_t d, double steps) const {
  const double key = lcsm::real(shared), value = lcsm::real(size_or(size, 2 * d)),
               seen = std::min(steps, lcsm::real(chunk));
  lcsm::Mixing mixing =
      lcsm::pairs("attention within chunks, products between them", key, value, seen, seen);
  mixing.flops += 4 * key * value;
  mixing.state += key * value;
  return mixing;
}

}  // namespace runner
