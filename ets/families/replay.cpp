#include "ets/families/replay.h"

#include <cmath>

namespace ets {

bool has_replay(const lcsm::Block& v) {
  for (const lcsm::OptionRow& row : v.options.rows())
    if (row.name == kReplay.name) return v.options.text(kReplay.name) != "none";
  return false;
}

void put_replay(const lcsm::Block& v, lcsm::BlockTensors* tensors) {
  if (!has_replay(v)) return;
  const std::string& kind = v.options.text("replay");
  const std::int64_t taps = v.options.integer("replay_taps");
  lcsm::Shape shape = {taps};
  if (kind != "scalar") shape.push_back(v.d);
  if (kind == "full") shape.push_back(v.d);
  const double bound = 1 / std::sqrt(static_cast<double>(kind == "full" ? taps * v.d : taps));
  const auto uniform = [bound](lcsm::Random& random) { return bound * (2 * random.uniform() - 1); };
  using Group = lcsm::BlockTensors::Group;
  tensors->put_around("replay.weight", shape, Group::kMatrices, uniform);
  if (v.options.flag("replay_bias"))
    tensors->put_around("replay.bias", {kind == "scalar" ? 1 : v.d}, Group::kNorm, uniform);
}

}  // namespace ets
