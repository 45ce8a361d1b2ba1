#include "ets/families/ema.h"

#include "ets/families/modes_cost.h"

namespace ets {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Ema::tensors(std::int64_t d) const {
  const std::int64_t G = directions(), M = modes;
  lcsm::BlockTensors tensors;
  tensors.put_normal("smoothing_logit", {G, d, M}, Group::kGate, 0, 0.2);
  tensors.put_normal("damping_logit", {G, d, M}, Group::kGate, 0, 0.2);
  tensors.put("expand", {G, d, M}, Group::kMatrices, "1, -1, 1, ... + 0.02 * normal",
              [M, count = G * d * M](std::uint64_t seed) {
                lcsm::Random random = lcsm::random_for(seed, "expand");
                lcsm::Values values;
                for (std::int64_t n = 0; n < count; ++n)
                  values.push_back((n % M % 2 == 0 ? 1 : -1) + 0.02 * random.normal());
                return values;
              });
  tensors.put_normal("shrink", {G, d, M}, Group::kMatrices, 0, 1);
  tensors.put_skip(d);
  put_replay(d, &tensors);
  return tensors.take();
}

lcsm::Mixing Ema::mixing(std::int64_t d, double steps) const {
  return with_replay(d, mixing_of_modes(steps, directions(), modes, false, lcsm::real(d)));
}

}  // namespace ets
