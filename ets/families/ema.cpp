// Damped multi-dimensional exponential moving average (MEGA).
#include "ets/families/ema.h"

#include "ets/families/family.h"
#include "ets/families/replay.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kEmaOptions = lcsm::joined(ema_options("smoothing_logit"), kReplayOptions);

lcsm::Parameters tensors_of_ema(const lcsm::Block& v) {
  const std::int64_t G = v.directions(), M = v.options.integer("modes");
  lcsm::BlockTensors tensors;
  tensors.put_normal("smoothing_logit", {G, v.d, M}, Group::kGate, 0, 0.2);
  tensors.put_normal("damping_logit", {G, v.d, M}, Group::kGate, 0, 0.2);
  tensors.put("expand", {G, v.d, M}, Group::kMatrices, "1, -1, 1, ... + 0.02 * normal",
              [=, count = G * v.d * M](std::uint64_t seed) {
                lcsm::Random random = lcsm::random_for(seed, "expand");
                lcsm::Values values;
                for (std::int64_t n = 0; n < count; ++n)
                  values.push_back((n % M % 2 == 0 ? 1 : -1) + 0.02 * random.normal());
                return values;
              });
  tensors.put_normal("shrink", {G, v.d, M}, Group::kMatrices, 0, 1);
  tensors.put_skip(v.d);
  put_replay(v, &tensors);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kEma = {"ema",
                             "damped exponential moving averages, as in MEGA",
                             lcsm::Lag::kZero,
                             kEmaOptions,
                             tensors_of_ema,
                             nullptr};

}  // namespace ets
