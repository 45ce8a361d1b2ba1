#include "runner/systems/channel_mixers.h"

#include "runner/systems/attention.h"

namespace runner {

lcsm::Parameters Mlp::tensors(std::int64_t d) const {
  const std::int64_t inside = size_or(size, 4 * d);
  lcsm::BlockTensors tensors;
  tensors.put_linear("up", inside, d);
  tensors.put_linear("down", d, inside);
  return tensors.take();
}
lcsm::Mixing Mlp::mixing(std::int64_t, double) const { return lcsm::each_step_alone(); }

lcsm::Parameters Glu::tensors(std::int64_t d) const {
  const std::int64_t inside = size_or(size, 2 * d);
  lcsm::BlockTensors tensors;
  tensors.put_linear("gate", inside, d);
  tensors.put_linear("value", inside, d);
  tensors.put_linear("output", d, inside);
  return tensors.take();
}
lcsm::Mixing Glu::mixing(std::int64_t, double) const { return lcsm::each_step_alone(); }

}  // namespace runner
