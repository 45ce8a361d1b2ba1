// h_t = lambda_t e^(i angle) h_(t-1) + (1 - lambda_t) c_t.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include "lcsm/layer/block.h"
#include "lcsm/layer/layer.h"
#include "lcsm/tensors/gated.h"
#include "runner/models/blocks/gates.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/recurrences.h"

namespace runner {
namespace {

using at::Tensor;

struct Complex {
  Tensor re, im;  // im undefined = real
};

Complex turned(const Complex& x, const Complex& by) {
  return {x.re * by.re - x.im * by.im, x.re * by.im + x.im * by.re};
}

struct Scan {
  Complex h;    // of all steps
  Tensor last;  // [B, D] or [B, 2, D]
};

Scan by_steps(const Tensor& decay, const Complex& c, const Tensor& angle, const Tensor& state) {
  const bool is_complex = c.im.defined();
  Complex h;
  if (is_complex) {
    h = state.defined()
            ? Complex{state.select(1, 0), state.select(1, 1)}
            : Complex{at::zeros_like(c.re.select(1, 0)), at::zeros_like(c.re.select(1, 0))};
  } else {
    h.re = state.defined() ? state : at::zeros_like(c.re.select(1, 0));
  }
  std::vector<Tensor> re, im;
  for (std::int64_t t = 0; t < decay.size(1); ++t) {
    const Tensor o = decay.select(1, t);
    if (is_complex) h = turned(h, {at::cos(angle), at::sin(angle)});
    h.re = o * h.re + c.re.select(1, t);
    re.push_back(h.re);
    if (!is_complex) continue;
    h.im = o * h.im + c.im.select(1, t);
    im.push_back(h.im);
  }
  if (!is_complex) return {{at::stack(re, 1), {}}, h.re};
  return {{at::stack(re, 1), at::stack(im, 1)}, at::stack({h.re, h.im}, 1)};
}

// Seen from axes that turn with the memory, g_t = e^(-i t angle) h_t, real and imaginary parts are
// gated scans of their own.
Scan by_scan(const Tensor& decay, const Complex& c, const Tensor& angle, const Tensor& state,
             const lcsm::GpuOrCpu& gpu) {
  const std::int64_t T = decay.size(1), D = decay.size(2);
  const auto scan = [&](const Tensor& o, const Tensor& i, const Tensor& m) {
    return gated("gate_d", {i, {}, {}, {{kPd, o}}, {m, {}}}, gpu);
  };
  if (!c.im.defined()) {
    const auto [y, last] = scan(decay, c.re, state.defined() ? state.unsqueeze(1) : Tensor());
    return {{y, {}}, last.m.squeeze(1)};
  }
  const Tensor total =
      at::arange(1, T + 1, angle.options().dtype(at::kDouble)).unsqueeze(1) * angle.to(at::kDouble);
  const Tensor cos = at::cos(total).to(c.re.scalar_type()),
               sin = at::sin(total).to(c.re.scalar_type());
  const Complex inside = turned(c, {cos, -sin});
  const auto [y, last] = scan(at::cat({decay, decay}, 2), at::cat({inside.re, inside.im}, 2),
                              state.defined() ? state.flatten(1).unsqueeze(1) : Tensor());
  const Complex h = turned({y.narrow(2, 0, D), y.narrow(2, D, D)}, {cos, sin});
  return {h, at::stack({h.re.select(1, T - 1), h.im.select(1, T - 1)}, 1)};
}

// The bound of layer l, [d], from the G of all layers, [layers, d]: the sum of softmax(G)_1 ...
// softmax(G)_l, hence 0 in the first layer.
Tensor learned_bound(const Tensor& all, std::int64_t layer) {
  return at::softmax(all, 0).narrow(0, 1, layer).sum(0);
}

}  // namespace

Tensor Hgrn::least_decay(const lcsm::Weights& weights) const {
  if (bound == "learned") return learned_bound(weights.at("lower_bound"), layer);
  return at::scalar_tensor(lower_bound, weights.at("output.weight").options());
}

lcsm::BlockResult Hgrn::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                const lcsm::BlockContext& context) const {
  const bool is_complex = form == "complex";
  const Tensor gate = at::sigmoid(lcsm::project(weights, "decay", masked(x, context.padding)));
  const Tensor least = least_decay(weights);
  const Tensor decay = least + (1 - least) * gate;
  const Tensor input = masked(at::silu(lcsm::project(weights, "input", x)), context.padding);
  Complex c = {input, {}};
  if (is_complex) {
    const Tensor parts = input.unflatten(2, {x.size(2), 2});
    c = {parts.select(3, 0), parts.select(3, 1)};
  }
  c.re = (1 - decay) * c.re;
  if (is_complex) c.im = (1 - decay) * c.im;

  const auto run = [&](const Tensor& o, const Complex& in, const Tensor& turn,
                       const Tensor& state) {
    return context.backend == lcsm::Backend::kReference ? by_steps(o, in, turn, state)
                                                        : by_scan(o, in, turn, state, context.gpu);
  };
  const Tensor angle = is_complex ? weights.at("angle") : Tensor();
  const auto angle_of = [&](std::int64_t direction) {
    return is_complex ? angle.select(0, std::min(direction, angle.size(0) - 1)) : Tensor();
  };
  Scan scan = run(decay, c, angle_of(0), state_of(context, "memory"));
  if (bidirectional) {
    const auto flipped = [](const Tensor& y) { return y.defined() ? y.flip({1}) : y; };
    const Scan back = run(flipped(decay), {flipped(c.re), flipped(c.im)}, angle_of(1), {});
    scan.h.re = scan.h.re + flipped(back.h.re);
    if (is_complex) scan.h.im = scan.h.im + flipped(back.h.im);
  }
  const Tensor h = is_complex ? at::cat({scan.h.re, scan.h.im}, 2) : scan.h.re;
  const Tensor normed = at::layer_norm(h, {h.size(2)}, weights.at("norm.weight"),
                                       weights.at("norm.bias"), lcsm::kNormEpsilon);
  const Tensor y =
      lcsm::gated(lcsm::Activation::kSilu, lcsm::project(weights, "gate", x), normed, context.gpu);
  lcsm::BlockState state;
  if (!bidirectional) state["memory"] = scan.last;
  return {lcsm::project(weights, "output", y), std::move(state)};
}

}  // namespace runner
