#include "ets/families/mega.h"

#include <algorithm>

namespace ets {

using Group = lcsm::BlockTensors::Group;

lcsm::Parameters Mega::tensors(std::int64_t d) const {
  lcsm::BlockTensors tensors;
  tensors.put_small_linear("value", values(d), d);
  if (modes > 0) tensors.put_part("average", averages().tensors(d));
  tensors.put_small_linear("base", 2 * d + keys(d) + values(d), d);
  tensors.put_normal("scale", {2, keys(d)}, Group::kNorm, 0, 0.02);
  tensors.put_constant("shift", {2, keys(d)}, Group::kNorm, 0);
  put_bias(keys(d), &tensors);
  tensors.put_small_linear("hidden", d, values(d));
  return tensors.take();
}

void Mega::check(std::int64_t d) const { check_turned(kName, "z", keys(d)); }

lcsm::Mixing Mega::mixing(std::int64_t d, double steps) const {
  lcsm::Mixing mixing = pairs(lcsm::real(keys(d)), lcsm::real(values(d)), steps);
  if (modes > 0) mixing.machine += "; moving averages by modes";
  mixing.flops += 4 * lcsm::real(modes * d * directions());
  mixing.state += lcsm::real(modes * d);
  // Only weights that are dropped are all in memory at once.
  if (attention_dropout > 0)
    mixing.pairs = 6 * (chunk > 0 ? std::min(steps, lcsm::real(chunk)) : steps);
  return mixing;
}

lcsm::Parameters MegaFeed::tensors(std::int64_t d) const {
  const std::int64_t inside = hidden == 0 ? 2 * d : hidden;
  lcsm::BlockTensors tensors;
  tensors.put_small_linear("up", inside, d);
  tensors.put_small_linear("down", d, inside);
  return tensors.take();
}

lcsm::Mixing MegaFeed::mixing(std::int64_t, double) const { return lcsm::each_step_alone(); }

}  // namespace ets
