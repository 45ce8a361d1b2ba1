// MEGA: gated attention of one head over moving averages.
#include <algorithm>
#include <array>
#include <stdexcept>

#include "ets/families/ema.h"
#include "ets/families/tensor_list.h"

namespace ets {
namespace {

using Group = TensorList::Group;

constexpr std::array kOwnOptions = {
    flag("causal", true, "attention to no later step; the averages have an option of their own"),
    word("attention", "softmax relu2 laplace", "softmax", "from scores to weights"),
    word("bias", "simple rotary none", "simple",
         "what the distance adds to scores: a number for each, or a product of turned vectors"),
    integer("positions", "1024", 1, "the longest sequence with bias=simple and without chunks"),
    integer("chunk", "0", 0, "attention within chunks of so many steps; 0: over all"),
    integer("z", "0", 0, "channels of queries and keys; 0: half those of the layer, at least 1",
            "scale", 1),
    integer("v", "0", 0, "channels of values; 0: twice those of the layer", "value.weight", 0),
};

constexpr std::array kOptions = joined(kOwnOptions, ema_options("average.smoothing_logit"));

std::int64_t shared_width(const Variant& v) {
  const std::int64_t asked = v.options.integer("z");
  return asked == 0 ? std::max<std::int64_t>(v.d / 2, 1) : asked;
}

Parameters tensors_of_mega(const Variant& v) {
  const Options& o = v.options;
  const std::int64_t asked = o.integer("v"), values = asked == 0 ? 2 * v.d : asked,
                     z = shared_width(v), chunk = o.integer("chunk");
  TensorList tensors;
  tensors.put_small_linear("value", values, v.d);
  tensors.put_part("average", part_of(v, kEma, v.d));
  tensors.put_small_linear("base", 2 * v.d + z + values, v.d);
  tensors.put_normal("scale", {2, z}, Group::kNorm, 0, 0.02);
  tensors.put_constant("shift", {2, z}, Group::kNorm, 0);
  if (o.text("bias") == "simple")
    tensors.put_normal("distance", {2 * (chunk == 0 ? o.integer("positions") : chunk) - 1},
                       Group::kNorm, 0, 0.02);
  if (o.text("bias") == "rotary")
    for (const char* name : {"rotary_query", "rotary_key"})
      tensors.put_normal(name, {z}, Group::kNorm, 0, 0.02);
  tensors.put_small_linear("hidden", v.d, values);
  return tensors.take();
}

void check_halves(const Variant& v) {
  if (v.options.text("bias") == "rotary" && shared_width(v) % 2 != 0)
    throw std::invalid_argument("mega: option 'z': expected an even number with bias=rotary, got " +
                                std::to_string(shared_width(v)));
}

}  // namespace

const FamilyRow kMega = {"mega",          "gated attention over moving averages",
                         Lag::kZero,      kOptions,
                         tensors_of_mega, check_halves};

}  // namespace ets
