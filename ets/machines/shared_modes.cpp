// One state for all channels (S5): a product into the modes for all steps, one complex scan, a
// product out of them. Memory grows with B T M.
#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/real.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/stack.h>

#include "ets/machines/machines.h"
#include "ets/machines/shared_scan.h"
#include "lcsm/tensors/product.h"

namespace ets {
namespace {

using at::Tensor;

// [2, M] in float64.
Tensor decay_parts(const SharedModes& s) {
  const Tensor size = at::exp(s.log_decay.to(at::kDouble)), angle = s.angle.to(at::kDouble);
  return at::stack({size * at::cos(angle), size * at::sin(angle)});
}

// Shifts [B, T, ...] earlier by `steps`, with zeros at the end.
Tensor earlier(const Tensor& h, std::int64_t steps) {
  if (steps == 0) return h;
  return at::constant_pad_nd(h.narrow(1, steps, h.size(1) - steps), {0, 0, 0, 0, 0, steps});
}

}  // namespace

FilterResult filtered_shared(const Filter& filter, const Tensor& x, const lcsm::BlockState& state,
                             const lcsm::GpuOrCpu& gpu) {
  const auto& s = std::get<SharedModes>(filter.kernel);
  const std::int64_t B = x.size(0), T = x.size(1), M = s.expand.size(0), G = s.shrink.size(0);
  const Tensor q = decay_parts(s);
  const Tensor expanded = lcsm::affine(x, at::cat({at::real(s.expand), at::imag(s.expand)}));
  const Tensor u =
      (gpu ? expanded : expanded.to(lcsm::state_dtype(x.scalar_type()))).view({B, T, 2, M});
  Tensor first;
  if (G == 1 && state.contains("modes"))
    first = stored(opened(state, "modes", at::empty({B, M}, s.expand.options())))
                .transpose(1, 2)
                .to(at::kDouble);
  FilterResult result;
  for (std::int64_t g = 0; g < G; ++g) {
    const Tensor h = shared_scan(u, q, first, g == 1, gpu), c = s.shrink.select(0, g);
    if (G == 1) result.state["modes"] = h.select(1, T - 1).transpose(1, 2).contiguous();
    const Tensor seen = g == 1 ? earlier(h, filter.backward_lag) : h;
    const Tensor y =
        lcsm::affine(seen.reshape({B, T, 2 * M}), at::cat({at::real(c), -at::imag(c)}, 1));
    result.y = g == 0 ? y : result.y + y;
  }
  lcsm::refuse_unknown_state(state, result.state);
  return result;
}

}  // namespace ets
