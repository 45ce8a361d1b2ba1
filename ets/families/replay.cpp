#include "ets/families/replay.h"

#include <cmath>

namespace ets {

using Group = lcsm::BlockTensors::Group;

void ReplayOptions::put_replay(std::int64_t d, lcsm::BlockTensors* tensors) const {
  if (!replays()) return;
  lcsm::Shape shape = {replay_taps};
  if (replay != "scalar") shape.push_back(d);
  if (replay == "full") shape.push_back(d);
  const std::int64_t inputs = replay == "full" ? replay_taps * d : replay_taps;
  const double bound = 1 / std::sqrt(static_cast<double>(inputs));
  const auto uniform = [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); };
  tensors->put_around("replay.weight", shape, Group::kMatrices, uniform);
  if (replay_bias)
    tensors->put_around("replay.bias", {replay == "scalar" ? 1 : d}, Group::kNorm, uniform);
}

lcsm::Mixing ReplayOptions::with_replay(std::int64_t d, lcsm::Mixing mixing) const {
  if (!replays()) return mixing;
  const double taps = lcsm::real(replay_taps), width = lcsm::real(d);
  mixing.flops += 2 * taps * width * (replay == "full" ? width : 1);
  mixing.state += (taps - 1) * width;
  return mixing;
}

}  // namespace ets
