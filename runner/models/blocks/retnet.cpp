// Retention: R_nm = q_n.k_m gamma^(n-m), keys and queries turned by their place; its rows scaled
// by one of three rules, of which none is linear algebra alone. With S_n = sum over m <= n of
// gamma^(n-m):
//   recurrent  row n divided by sqrt(S_n)
//   parallel   then by the sum of its absolute values, within [1, 5e4], a constant for gradients
//   chunks     chunk_recurrent there: M_i = gamma^C M_(i-1) + sum over the chunk's steps j of
//              gamma^(C-1-j) k_j v_j^T / S_(C-1). Within the chunk rows by sqrt(S_n) and
//              a = max(1, sum of absolute values); across chunks
//              q_n gamma^(n+1) S_(C-1) / sqrt(S_n) reads M_(i-1) / b, b = max(1, largest column sum
//              of its absolute values). What both give is multiplied by a / max(a, b) and
//              b / max(a, b).
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/view_as_complex.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <cmath>

#include "lcsm/layer/block.h"
#include "lcsm/tensors/gated.h"
#include "runner/models/blocks/gates.h"
#include "runner/models/blocks/steps.h"
#include "runner/systems/linear_attention.h"

namespace runner {
namespace {

using at::Tensor;

constexpr double kMostScale = 5e4;
constexpr std::int64_t kRows = 256;  // of R at a time
// A GPU computes R if it has at most this many entries: the recurrence of a head that is too wide
// for chunked products is many times slower.
constexpr std::int64_t kEntriesOnGpu = std::int64_t{1} << 26;

struct Retention {
  Tensor q, k, v;    // [B, H, T, W], turned
  Tensor log_decay;  // [H] float64
  lcsm::On on;
};

// Channels in pairs, times the complex numbers of [T, W/2].
Tensor turned(const Tensor& x, const Tensor& turn) {
  const Tensor pairs = x.to(at::toRealValueType(turn.scalar_type())).unflatten(-1, {-1, 2});
  return at::view_as_real(at::view_as_complex(pairs) * turn).flatten(-2).to(x.scalar_type());
}

// gamma^(n-m) over the rows first..last and the columns 0..last, [H, rows, columns]; 0 above.
Tensor decays(const Tensor& log_decay, std::int64_t first, std::int64_t last) {
  const Tensor lags = at::arange(first, last, log_decay.options()).unsqueeze(1) -
                      at::arange(0, last, log_decay.options());
  const Tensor log = log_decay.view({-1, 1, 1}) * lags;
  return at::exp(log.masked_fill(lags < 0, -INFINITY));
}

// sum over m of gamma^(n-m), [H, T, 1]; `before` steps came before the first.
Tensor row_sums(const Tensor& log_decay, std::int64_t T, double before = 0) {
  const Tensor steps = at::arange(1, T + 1, log_decay.options()) + before;
  const Tensor log = log_decay.unsqueeze(1);
  return (at::expm1(log * steps) / at::expm1(log)).unsqueeze(2);
}

Tensor by_all_pairs(const Retention& in) {
  const Tensor decay = decays(in.log_decay, 0, in.q.size(2));
  const Tensor R = at::matmul(in.q, in.k.transpose(2, 3)) *
                   (decay / decay.sum(2, true).sqrt()).to(in.q.scalar_type());
  return at::matmul(R / R.detach().abs().sum(3, true).clamp(1, kMostScale), in.v);
}

lcsm::RecurrenceResult sums(const Retention& in, const Tensor& memory) {
  const std::int64_t B = in.q.size(0), H = in.q.size(1), T = in.q.size(2);
  const Tensor log = in.log_decay.to(in.q.scalar_type()).repeat({B}).unsqueeze(1);
  return gated("bounded",
               {in.v.flatten(0, 1),
                in.k.flatten(0, 1),
                in.q.flatten(0, 1),
                {{kP, log.expand({B * H, T})}},
                {memory, {}}},
               in.on);
}

// The scale of a row needs absolute values of all pairs, but no gradient: rows at a time.
Tensor row_scales(const Retention& in) {
  const c10::NoGradGuard constant;
  std::vector<Tensor> scales;
  for (std::int64_t first = 0; first < in.q.size(2); first += kRows) {
    const std::int64_t last = std::min(first + kRows, in.q.size(2));
    const Tensor pairs =
        at::matmul(in.q.narrow(2, first, last - first), in.k.narrow(2, 0, last).transpose(2, 3));
    scales.push_back(
        (pairs.abs() * decays(in.log_decay, first, last).to(in.q.scalar_type())).sum(3, true));
  }
  return at::cat(scales, 2);
}

Tensor parallel(const Retention& in) {
  const std::int64_t T = in.q.size(2), entries = in.q.size(0) * in.q.size(1) * T * T;
  if (in.on.backend == lcsm::Backend::kReference || (in.on.gpu && entries <= kEntriesOnGpu))
    return by_all_pairs(in);
  const Tensor norm = row_sums(in.log_decay, T).sqrt().to(in.q.scalar_type());
  return sums(in, {}).y.view_as(in.v) / norm / (row_scales(in) / norm).clamp(1, kMostScale);
}

// All pairs within a chunk, a memory between chunks. Each has its own scale; both are brought to
// the larger one. Padding of the last chunk is cut off.
Tensor by_chunks(const Retention& given, std::int64_t C) {
  Retention in = given;
  const std::int64_t B = in.q.size(0), H = in.q.size(1), T = in.q.size(2), N = (T + C - 1) / C;
  for (Tensor* x : {&in.q, &in.k, &in.v})
    *x = at::constant_pad_nd(*x, {0, 0, 0, N * C - T}).unflatten(2, {N, C});
  const auto shaped = [&](const Tensor& x, at::IntArrayRef shape) {
    return x.to(in.q.scalar_type()).reshape(shape);
  };
  const Tensor decay = decays(in.log_decay, 0, C), norm = decay.sum(2).sqrt(),
               last = decay.select(1, C - 1), total = last.sum(1, true);
  const Tensor entering =
      at::exp(in.log_decay.unsqueeze(1) * at::arange(1, C + 1, in.log_decay.options())) * total /
      norm;
  const Tensor R =
      at::matmul(in.q, in.k.transpose(3, 4)) * shaped(decay / norm.unsqueeze(2), {H, 1, C, C});
  const Tensor inner_scale = R.detach().abs().sum(4, true).clamp_min(1);

  const Tensor written =
      at::matmul(in.k.transpose(3, 4), in.v * shaped(last / total, {H, 1, C, 1}));
  const Tensor ones = at::ones({B * H, N, 1}, in.q.options());
  const Tensor log = shaped(in.log_decay * static_cast<double>(C), {H, 1}).repeat({B, 1});
  const Tensor memory =
      gated("bounded",
            {written.flatten(0, 1).flatten(2), ones, ones, {{kP, log.expand({B * H, N})}}, {}},
            in.on)
          .y.view_as(written);
  const Tensor before =
      at::cat({at::zeros_like(memory.narrow(2, 0, 1)), memory.narrow(2, 0, N - 1)}, 2);
  const Tensor scale = before.detach().abs().sum(3, true).amax(4, /*keepdim=*/true).clamp_min(1);
  const Tensor inner = at::matmul(R / inner_scale, in.v),
               cross = at::matmul(in.q * shaped(entering, {H, 1, C, 1}), before / scale);
  const Tensor larger = at::maximum(inner_scale, scale);
  return (inner * (inner_scale / larger) + cross * (scale / larger)).flatten(2, 3).narrow(2, 0, T);
}

}  // namespace

lcsm::BlockResult Retnet::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                  const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1);
  const Tensor steps = state_of(context, "steps");
  const double start = steps.defined() ? steps.item<double>() : 0;
  const at::TensorOptions wide = x.options().dtype(at::kDouble);
  const auto in_heads = [&](const char* name) {
    const Tensor y = lcsm::project(weights, name, x);
    return y.unflatten(2, {heads, y.size(2) / heads}).transpose(1, 2);
  };
  Retention in{in_heads("query"), in_heads("key"), in_heads("value"),
               at::log1p(-at::pow(2, -5 - at::arange(heads, wide))), context.on()};
  const std::int64_t width = in.q.size(3);
  const Tensor angle = (at::arange(T, wide) + start).unsqueeze(1) *
                       at::pow(10000, -at::linspace(0, 1, width / 2, wide));
  const Tensor turn =
      at::complex(at::cos(angle), at::sin(angle))
          .to(x.scalar_type() == at::kDouble ? at::kComplexDouble : at::kComplexFloat);
  in.q = turned(in.q, turn);
  in.k = turned(in.k / std::sqrt(static_cast<double>(width)), turn);
  if (context.padding.defined())
    in.k = in.k.masked_fill(context.padding.unsqueeze(1).unsqueeze(3), 0);

  lcsm::BlockState state;
  Tensor y;
  if (form == "recurrent") {
    const lcsm::RecurrenceResult run = sums(in, state_of(context, "memory"));
    y = run.y.view_as(in.v) / row_sums(in.log_decay, T, start).sqrt().to(x.scalar_type());
    state = {{"memory", run.state.m},
             {"steps", at::full({1}, start + static_cast<double>(T), wide)}};
  } else {
    y = form == "chunks" ? by_chunks(in, chunk) : parallel(in);
  }
  const Tensor normed = y * at::rsqrt(y.square().mean(3, /*keepdim=*/true) + eps);
  const Tensor gated = lcsm::gated(lcsm::Activation::kSilu, lcsm::project(weights, "gate", x),
                                   normed.transpose(1, 2).flatten(2), context.gpu);
  return {lcsm::project(weights, "output", gated), std::move(state)};
}

}  // namespace runner
