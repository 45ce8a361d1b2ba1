// MEGA: gated attention of one head over moving averages.
#include <algorithm>
#include <array>

#include "ets/families/attention.h"
#include "ets/families/ema.h"
#include "ets/families/family.h"

namespace ets {
namespace {

using Group = lcsm::BlockTensors::Group;

constexpr std::array kMegaOwnOptions = {
    kCausal,
    lcsm::word("attention", "softmax relu2 laplace", "softmax", "from scores to weights"),
    kBias,
    kPositions,
    kChunk,
    lcsm::integer("z", "0", 0,
                  "channels of queries and keys; 0: half those of the layer, at least 1", "scale",
                  1),
    lcsm::integer("v", "0", 0, "channels of values; 0: twice those of the layer", "value.weight",
                  0),
};

constexpr std::array kMegaOptions =
    lcsm::joined(kMegaOwnOptions, ema_options("average.smoothing_logit"));

std::int64_t shared_width(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("z");
  return asked == 0 ? std::max<std::int64_t>(v.d / 2, 1) : asked;
}

lcsm::Parameters tensors_of_mega(const lcsm::Block& v) {
  const std::int64_t asked = v.options.integer("v"), values = asked == 0 ? 2 * v.d : asked,
                     z = shared_width(v);
  lcsm::BlockTensors tensors;
  tensors.put_small_linear("value", values, v.d);
  tensors.put_part("average", part_of(v, kEma, v.d));
  tensors.put_small_linear("base", 2 * v.d + z + values, v.d);
  tensors.put_normal("scale", {2, z}, Group::kNorm, 0, 0.02);
  tensors.put_constant("shift", {2, z}, Group::kNorm, 0);
  put_bias(v, z, &tensors);
  tensors.put_small_linear("hidden", v.d, values);
  return tensors.take();
}

}  // namespace

const lcsm::BlockRow kMega = {
    "mega",           "gated attention over moving averages",
    lcsm::Lag::kZero, kMegaOptions,
    tensors_of_mega,  [](const lcsm::Block& v) { check_turned(v, "z", shared_width(v)); }};

}  // namespace ets
