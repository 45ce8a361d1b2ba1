// Filters that are sums of modes, by their recurrence (lcsm/machines/modes_op.h): time grows with T
// D M, memory with T D.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include "ets/machines/machines.h"
#include "lcsm/cuda/modes/modes_cuda.h"
#include "lcsm/machines/modes_op.h"

namespace ets {
namespace {

using at::Tensor;

// One direction of [G, D, M], as [M, D] in float64.
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

// The modes that outlast `steps` in some channel: what remains of their values or slopes exceeds
// rounding of their first step.
Tensor outlasting(const Tensor& q, std::int64_t steps, at::ScalarType dtype) {
  const double rounding = dtype == at::kDouble ? 0x1p-58 : 0x1p-29;
  const Tensor size = q.detach().abs();
  const Tensor left =
      static_cast<double>(steps) * at::pow(size, steps - 1) / at::clamp_min(1 - size, 1e-300);
  return (left > rounding).any(1).nonzero().squeeze(1);
}

// The output that the modes of a truncated kernel of `steps` steps would add after its end;
// undefined if nothing remains of them.
Tensor tail(const lcsm::Direction& direction, const Tensor& x, std::int64_t steps,
            const lcsm::GpuOrCpu& gpu) {
  const std::int64_t T = x.size(1);
  // A GPU computes all modes, since selecting some would synchronize.
  const Tensor modes = gpu ? at::arange(direction.q.size(0), direction.q.options().dtype(at::kLong))
                           : outlasting(direction.q, steps, x.scalar_type());
  if (modes.numel() == 0) return {};
  lcsm::Direction after = direction;
  after.q = direction.q.index_select(0, modes);
  after.c = direction.c.index_select(0, modes) * at::pow(after.q, steps);
  const Tensor seen = x.narrow(1, direction.back ? steps : 0, T - steps);
  const Tensor y = lcsm::modes_machine(seen, {after}, gpu)[0];
  return at::constant_pad_nd(
      y, direction.back ? at::IntArrayRef({0, 0, 0, steps}) : at::IntArrayRef({0, 0, steps, 0}));
}

std::vector<lcsm::Direction> directions_of(const Filter& filter) {
  const auto& modes = std::get<Modes>(filter.kernel);
  std::vector<lcsm::Direction> directions;
  for (std::int64_t g = 0; g < modes.weight.size(0); ++g)
    directions.push_back(direction(modes, g, filter.backward_lag));
  return directions;
}

Tensor summed(const std::vector<lcsm::Direction>& directions, const Tensor& x,
              std::int64_t truncation, const lcsm::GpuOrCpu& gpu) {
  Tensor y = lcsm::modes_machine(x, directions, gpu)[0];
  if (truncation > 0 && truncation < x.size(1))
    for (const lcsm::Direction& each : directions)
      if (const Tensor rest = tail(each, x, truncation, gpu); rest.defined()) y = y - rest;
  return y;
}

}  // namespace

bool modes_carry(const Filter& filter) {
  return is_sum_of_modes(filter) && has_state(filter) && filter.truncation == 0 &&
         !filter.normalized && std::get<Modes>(filter.kernel).weight.size(2) <= lcsm::kModesMost;
}

FilterResult modes_continued(const Filter& filter, const Tensor& x, const lcsm::BlockState& state,
                             const lcsm::GpuOrCpu& gpu) {
  lcsm::Direction one = directions_of(filter)[0];
  const std::int64_t B = x.size(0), M = one.q.size(0), D = one.q.size(1);
  one.u =
      opened(state, "modes", at::zeros({B, D, M}, one.q.options())).transpose(1, 2).contiguous();
  const lcsm::Tensors out = lcsm::modes_machine(x, {one}, gpu);
  FilterResult result{out[0], {{"modes", stored(out[1].transpose(1, 2).contiguous())}}};
  lcsm::refuse_unknown_state(state, result.state);
  return result;
}

bool is_sum_of_modes(const Filter& filter) {
  const auto* const modes = std::get_if<Modes>(&filter.kernel);
  return modes != nullptr && !modes->origin.defined();
}

std::int64_t lasting_modes(const Filter& filter, std::int64_t T) {
  if (filter.truncation == 0 || filter.truncation >= T) return 0;
  std::int64_t count = 0;
  const auto dtype = std::get<Modes>(filter.kernel).weight.scalar_type();
  for (const lcsm::Direction& each : directions_of(filter))
    count += outlasting(each.q, filter.truncation, dtype).numel();
  return count;
}

Tensor taps_by_modes(const Filter& filter, std::int64_t K, const lcsm::GpuOrCpu& gpu) {
  const Tensor& weight = std::get<Modes>(filter.kernel).weight;
  Tensor impulse = at::zeros({1, K, weight.size(1)}, weight.options().requires_grad(false));
  impulse.select(1, 0).fill_(1);
  std::vector<Tensor> taps;
  for (lcsm::Direction each : directions_of(filter)) {
    each.back = each.late = false;
    taps.push_back(lcsm::modes_machine(impulse, {each}, gpu)[0][0].t());
  }
  return at::stack(taps);
}

FilterResult filtered_by_modes(const Filter& filter, const Tensor& x, const lcsm::GpuOrCpu& gpu) {
  const std::vector<lcsm::Direction> directions = directions_of(filter);
  Tensor y = summed(directions, x, filter.truncation, gpu);
  if (filter.normalized)
    y = y / summed({directions[0]}, at::ones({1, x.size(1), x.size(2)}, x.options()),
                   filter.truncation, gpu);
  return {y, {}};
}

}  // namespace ets
