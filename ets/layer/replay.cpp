#include "ets/layer/replay.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/zeros.h>

#include "ets/machines/machines.h"
#include "lcsm/tensors/product.h"

namespace ets {
namespace {

using at::Tensor;

// The inputs before the first step.
Tensor inputs_before(const ReplayOptions& options, const Tensor& x, const lcsm::BlockState& state) {
  const std::int64_t before = options.replay_taps - 1;
  const Tensor zero = at::zeros({x.size(0), before, x.size(2)}, x.options());
  if (state.contains("replay")) return opened(state, "replay", zero);
  if (options.replay_pad == "zero") return zero;
  return x.narrow(1, 0, 1).expand_as(zero);
}

}  // namespace

Replayed replayed(const ReplayOptions& options, const lcsm::Weights& weights, const Tensor& x,
                  const lcsm::BlockState& state) {
  const std::int64_t T = x.size(1), taps = options.replay_taps;
  const Tensor all = at::cat({inputs_before(options, x, state), x}, 1),
               &weight = weights.at("replay.weight");
  Tensor sum;
  for (std::int64_t j = 0; j < taps; ++j) {
    const Tensor earlier = all.narrow(1, taps - 1 - j, T);
    const Tensor term = weight.dim() == 3 ? lcsm::affine(earlier, weight[j]) : earlier * weight[j];
    sum = j == 0 ? term : sum + term;
  }
  if (const auto bias = weights.find("replay.bias"); bias != weights.end())
    sum = sum + bias->second;
  return {x * at::sigmoid(sum), {{"replay", all.narrow(1, T, taps - 1)}}};
}

}  // namespace ets
