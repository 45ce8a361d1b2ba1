#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/polar.h>
#include <ATen/ops/real.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "ets/machines/machines.h"

namespace ets {
namespace {

using at::Tensor;

// Combines both directions from `causal`, which computes sum over j of k_j x_{t-j} for direction g.
Tensor both_directions(std::int64_t G, std::int64_t lag, const Tensor& x,
                       const std::function<Tensor(std::int64_t g, const Tensor& x)>& causal) {
  Tensor y = causal(0, x);
  if (G == 1) return y;
  const Tensor back = causal(1, x.flip(1)).flip(1);
  return y + (lag == 0
                  ? back
                  : at::constant_pad_nd(back.narrow(1, lag, back.size(1) - lag), {0, 0, 0, lag}));
}

// h_t = step(h_{t-1}, x_t), y_t = read(h_t).
Tensor scan(const Tensor& x, Tensor* h,
            const std::function<Tensor(const Tensor&, const Tensor&)>& step,
            const std::function<Tensor(const Tensor&)>& read) {
  std::vector<Tensor> y;
  for (std::int64_t t = 0; t < x.size(1); ++t) {
    *h = step(*h, x.select(1, t));
    y.push_back(read(*h));
  }
  return at::stack(y, 1);
}

Tensor decay_of(const Tensor& log_decay, const Tensor& angle) {
  return angle.defined() ? at::polar(at::exp(log_decay), angle) : at::exp(log_decay);
}

// Row g of [G, ...]; the only row of [1, ...]; the tensor itself if it has no such axis.
Tensor row(const Tensor& all, std::int64_t g, std::int64_t axes) {
  return all.dim() < axes ? all : all.select(0, std::min(g, all.size(0) - 1));
}

FilterResult run(const Filter& filter, const Modes& modes, const Tensor& x,
                 const lcsm::BlockState& state) {
  const Tensor decay = decay_of(modes.log_decay, modes.angle);
  const Tensor weight =
      modes.weight_imag.defined() ? at::complex(modes.weight, modes.weight_imag) : modes.weight;
  const std::int64_t G = weight.size(0), D = weight.size(1), M = weight.size(2);
  lcsm::BlockState last;
  const auto causal = [&](std::int64_t g, const Tensor& input) {
    const Tensor q = row(decay, g, 3), w = weight.select(0, g);
    Tensor h = opened(state, "modes", at::zeros({x.size(0), D, M}, q.options()));
    const Tensor y = scan(
        input, &h, [&](const Tensor& m, const Tensor& in) { return q * m + in.unsqueeze(-1); },
        [&](const Tensor& m) { return at::real(w * m).sum(-1); });
    if (G == 1) last["modes"] = stored(h);
    return y;
  };
  return {both_directions(G, filter.backward_lag, x, causal), last};
}

FilterResult run(const Filter& filter, const StateSpace& s, const Tensor& x,
                 const lcsm::BlockState& state) {
  const std::int64_t G = s.c.size(0);
  lcsm::BlockState last;
  const auto causal = [&](std::int64_t g, const Tensor& input) {
    const Tensor c = s.c.select(0, g);
    Tensor h =
        opened(state, "modes", at::zeros({x.size(0), s.b.size(0), s.b.size(1)}, s.b.options()));
    const Tensor y = scan(
        input, &h,
        [&](const Tensor& m, const Tensor& in) {
          return at::matmul(s.a, m.unsqueeze(-1)).squeeze(-1) + s.b * in.unsqueeze(-1);
        },
        [&](const Tensor& m) { return at::real((c * m).sum(-1)); });
    if (G == 1) last["modes"] = stored(h);
    return y;
  };
  return {both_directions(G, filter.backward_lag, x, causal), last};
}

FilterResult run(const Filter& filter, const SharedModes& s, const Tensor& x,
                 const lcsm::BlockState& state) {
  const Tensor q = decay_of(s.log_decay, s.angle);
  const std::int64_t G = s.shrink.size(0);
  lcsm::BlockState last;
  const auto causal = [&](std::int64_t g, const Tensor& input) {
    Tensor h = opened(state, "modes", at::zeros({x.size(0), q.size(0)}, q.options()));
    const Tensor y = scan(
        input, &h,
        [&](const Tensor& m, const Tensor& in) {
          return q * m + at::matmul(in.to(q.scalar_type()), s.expand.t());
        },
        [&](const Tensor& m) { return at::real(at::matmul(m, s.shrink.select(0, g).t())); });
    if (G == 1) last["modes"] = stored(h);
    return y;
  };
  return {both_directions(G, filter.backward_lag, x, causal), last};
}

// Computes the double sum row by row.
Tensor double_sum(const Tensor& taps, const Tensor& x) {  // [D, T], [B, T, D]
  const std::int64_t T = x.size(1);
  const Tensor k = at::constant_pad_nd(taps.flip(1), {0, T - 1}), in = x.transpose(1, 2);
  std::vector<Tensor> y;
  for (std::int64_t t = 0; t < T; ++t) y.push_back((k.narrow(1, T - 1 - t, T) * in).sum(-1));
  return at::stack(y, 1);
}

FilterResult run(const Filter& filter, const Taps&, const Tensor& x,
                 const lcsm::BlockState& state) {
  const Taps* own = std::get_if<Taps>(&filter.kernel);
  const std::int64_t K = filter.truncation > 0 ? filter.truncation
                         : own != nullptr      ? own->values.size(-1)
                                               : x.size(1);
  const bool carries = !filter.of_length && (filter.truncation > 0 || own != nullptr);
  Tensor before = at::zeros({x.size(0), carries ? K - 1 : 0, x.size(2)}, x.options());
  if (carries) before = opened(state, "inputs", before);
  const bool continued = state.contains("inputs");
  const Tensor all = continued ? at::cat({before, x}, 1) : x;
  const std::int64_t T = all.size(1);
  const Tensor taps = taps_of(filter, T);
  const std::int64_t G = taps.size(0);
  const Tensor y = both_directions(
      G, filter.backward_lag, all,
      [&](std::int64_t g, const Tensor& input) { return double_sum(taps.select(0, g), input); });
  lcsm::BlockState last;
  if (carries && G == 1) last["inputs"] = at::cat({before, x}, 1).narrow(1, x.size(1), K - 1);
  return {y.narrow(1, T - x.size(1), x.size(1)), last};
}

bool needs_taps(const Filter& filter) {
  const Modes* modes = std::get_if<Modes>(&filter.kernel);
  return filter.truncation > 0 || (modes != nullptr && modes->origin.defined());
}

FilterResult plain(const Filter& filter, const Tensor& x, const lcsm::BlockState& state) {
  if (needs_taps(filter)) return run(filter, Taps{}, x, state);
  return std::visit([&](const auto& kernel) { return run(filter, kernel, x, state); },
                    filter.kernel);
}

// If `sum`, the entries whose names begin with "sum.", without this prefix; otherwise the other
// entries.
lcsm::BlockState of_sum(const lcsm::BlockState& state, bool sum) {
  lcsm::BlockState part;
  for (const auto& [name, tensor] : state)
    if (name.starts_with("sum.") == sum) part[sum ? name.substr(4) : name] = tensor;
  return part;
}

}  // namespace

FilterResult filtered_reference(const Filter& filter, const Tensor& x,
                                const lcsm::BlockState& state) {
  FilterResult result = plain(filter, x, of_sum(state, false));
  if (filter.normalized) {
    const Tensor ones = at::ones({1, x.size(1), x.size(2)}, x.options());
    const FilterResult sum = plain(filter, ones, of_sum(state, true));
    result.y = result.y / sum.y;
    for (const auto& [name, tensor] : sum.state) result.state["sum." + name] = tensor;
  }
  if (filter.of_length) result.state.clear();
  lcsm::refuse_unknown_state(state, result.state);
  return result;
}

}  // namespace ets
