#include "runner/systems/gfnet.h"

#include "lcsm/block/block_tensors.h"

namespace runner {

lcsm::Parameters Gfnet::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_normal("filter", {length / 2 + 1, d, 2}, lcsm::BlockTensors::Group::kGate, 0, 0.02);
  return tensors.take();
}

lcsm::Mixing Gfnet::mixing(std::int64_t d, double) const {
  return {"convolution by FFT", 10 * lcsm::real(d) * lcsm::half_octave(lcsm::real(length)), 0};
}

}  // namespace runner
