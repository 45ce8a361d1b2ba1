// Filters that are sums of modes, by their recurrence (lcsm/layer/modes_op.h): time grows with T D
// M, memory with T D.
#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros_like.h>

#include "ets/machines/machines.h"
#include "lcsm/layer/modes_op.h"

namespace ets {
namespace {

using at::Tensor;

// [G, D, M] as [M, D] of one direction, in float64.
Tensor of_direction(const Tensor& part, const Modes& modes, std::int64_t g) {
  return part.to(at::kDouble).expand_as(modes.weight).select(0, g).t();
}

lcsm::Direction direction(const Modes& modes, std::int64_t g, std::int64_t lag) {
  const auto part = [&](const Tensor& of) { return of_direction(of, modes, g); };
  lcsm::Direction result{.back = g == 1, .late = g == 1 && lag == 1};
  const Tensor size = at::exp(part(modes.log_decay)), weight = part(modes.weight);
  if (!modes.angle.defined()) {
    result.q = size;
    result.c = weight;
    return result;
  }
  const Tensor angle = part(modes.angle);
  result.q = at::complex(size * at::cos(angle), size * at::sin(angle));
  result.c = at::complex(weight.contiguous(), modes.weight_imag.defined()
                                                  ? part(modes.weight_imag).contiguous()
                                                  : at::zeros_like(weight).contiguous());
  return result;
}

// What the modes of a truncated kernel would add from its end on, `steps` of it.
Tensor tail(const lcsm::Direction& direction, const Tensor& x, std::int64_t steps) {
  const std::int64_t T = x.size(1);
  lcsm::Direction after = direction;
  after.c = direction.c * at::pow(direction.q, steps);
  const Tensor seen = x.narrow(1, direction.back ? steps : 0, T - steps);
  const Tensor y = lcsm::modes_machine(seen, {after})[0];
  return at::constant_pad_nd(
      y, direction.back ? at::IntArrayRef({0, 0, 0, steps}) : at::IntArrayRef({0, 0, steps, 0}));
}

Tensor summed(const std::vector<lcsm::Direction>& directions, const Tensor& x,
              std::int64_t truncation) {
  Tensor y = lcsm::modes_machine(x, directions)[0];
  if (truncation > 0 && truncation < x.size(1))
    for (const lcsm::Direction& each : directions) y = y - tail(each, x, truncation);
  return y;
}

}  // namespace

bool is_sum_of_modes(const Filter& filter) {
  const auto* const modes = std::get_if<Modes>(&filter.kernel);
  return modes != nullptr && !modes->origin.defined();
}

FilterResult filtered_by_modes(const Filter& filter, const Tensor& x) {
  const auto& modes = std::get<Modes>(filter.kernel);
  std::vector<lcsm::Direction> directions;
  for (std::int64_t g = 0; g < modes.weight.size(0); ++g)
    directions.push_back(direction(modes, g, filter.backward_lag));
  Tensor y = summed(directions, x, filter.truncation);
  if (filter.normalized)
    y = y / summed({directions[0]}, at::ones({1, x.size(1), x.size(2)}, x.options()),
                   filter.truncation);
  return {y, {}};
}

}  // namespace ets
