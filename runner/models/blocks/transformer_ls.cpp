// Transformer-LS (Zhu et al., "Long-Short Transformer", 2021): one softmax over near and far keys,
//   y_t = softmax(q_t [near; far]^T / sqrt(w)) [near values; far values].
// Near: LN_near(K), LN_near(V) of t's segment of `window` positions; two-sided half a segment more
// on each side, causal the segment before and no later position. Far: LN_far(P^T K), LN_far(P^T V),
// P = softmax over time (X W_P), `projected` columns for each head. Two-sided P is over all
// positions; causal over each segment of `segment` positions, and t sees projections of earlier
// segments. The norms are over all heads of a position.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <limits>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {
namespace {

using at::Tensor;

constexpr double kMasked = -std::numeric_limits<double>::infinity();

struct Keys {
  Tensor k, v;     // [B, H, S, w]
  Tensor allowed;  // broadcast to [B, H, T, S]
};

Tensor stream_normed(const lcsm::Weights& weights, const std::string& name, const Tensor& x) {
  const std::int64_t heads = x.size(1);
  return heads_of(at::layer_norm(joined_heads(x), {heads * x.size(3)}, weights.at(name + ".weight"),
                                 weights.at(name + ".bias"), lcsm::kNormEpsilon),
                  heads);
}

Tensor times(const Tensor& x, std::int64_t count) {
  return at::arange(count, x.options().dtype(at::kLong));
}

// Far keys and values of S spans, each all positions or one segment: [B, S, span, ...].
Keys far_keys(const TransformerLs& form, const lcsm::Weights& weights, const Tensor& x,
              const Qkv& qkv, const Tensor& padding) {
  const std::int64_t B = x.size(0), T = x.size(1), H = qkv.k.size(1), w = qkv.k.size(3);
  const bool all = form.bidirectional;
  const std::int64_t span = all ? T : form.segment, S = T / span, r = form.projected;
  const Tensor real = padding.defined() ? ~padding : at::ones({1, T}, x.options().dtype(at::kBool));
  const Tensor present = real.narrow(1, 0, S * span).reshape({real.size(0), S, span});
  const Tensor some = present.any(-1);  // [B, S]: whether a span has anything but padding
  const Tensor scores =
      lcsm::project(weights, "project", x.narrow(1, 0, S * span))
          .view({B, S, span, H, r})
          .masked_fill(~(present | ~some.unsqueeze(-1)).view({real.size(0), S, span, 1, 1}),
                       kMasked);
  const Tensor p = at::softmax(scores, 2).permute({0, 3, 1, 4, 2});  // [B, H, S, r, span]
  const auto projected = [&](const Tensor& of) {
    const Tensor spans = of.narrow(2, 0, S * span).reshape({B, H, S, span, w});
    return stream_normed(weights, "far_norm", at::matmul(p, spans).flatten(2, 3));
  };
  Tensor allowed = some.unsqueeze(1);  // [B, T or 1, S]
  if (!all) allowed = allowed & (times(x, S) < times(x, T).floor_divide(span).unsqueeze(1));
  return {projected(qkv.k), projected(qkv.v), allowed.repeat_interleave(r, 2).unsqueeze(1)};
}

Tensor dense(const Qkv& near, const Keys& far, const Tensor& allowed,
             const lcsm::BlockContext& context) {
  const Tensor seen =
      at::cat({allowed, far.allowed.expand({allowed.size(0), 1, near.q.size(2), -1})}, 3);
  return attend({near.q, at::cat({near.k, far.k}, 2), at::cat({near.v, far.v}, 2)}, {seen},
                context);
}

// [T, T]: whether u is in the window of t, even if later.
Tensor in_window(const Tensor& x, std::int64_t T, std::int64_t window, std::int64_t before) {
  const Tensor first = (times(x, T).floor_divide(window) * window - before).unsqueeze(1);
  return (times(x, T) >= first) & (times(x, T) < first + 2 * window);
}

// [B or 1, N, window, 2 window]: whether positions of a segment of the window see its keys.
Tensor near_pairs(const Tensor& padding, const Tensor& like, std::int64_t T, std::int64_t window,
                  std::int64_t before, bool bidirectional) {
  const std::int64_t N = (T + window - 1) / window;
  const Tensor start = times(like, N).view({N, 1, 1}) * window;
  const Tensor t = start + times(like, window).unsqueeze(1),
               u = start - before + times(like, 2 * window);
  Tensor allowed = ((u >= 0) & (u < T)).unsqueeze(0);
  if (padding.defined())
    allowed = allowed & at::constant_pad_nd(~padding, {before, (N + 1) * window - T - before})
                            .unfold(1, 2 * window, window)
                            .unsqueeze(2);
  if (!bidirectional) allowed = allowed & (u <= t);
  return allowed | (u == t);
}

// Treats each segment of the window as a separate sequence, with the keys of the window and all far
// keys.
Tensor by_segments(const Qkv& near, const Keys& far, const Tensor& padding, std::int64_t window,
                   bool bidirectional, const lcsm::BlockContext& context) {
  const std::int64_t B = near.q.size(0), H = near.q.size(1), T = near.q.size(2), w = near.q.size(3),
                     N = (T + window - 1) / window, before = bidirectional ? window / 2 : window,
                     S = far.k.size(2), rest = N * window - T;
  const auto keys = [&](const Tensor& of_near, const Tensor& of_far) {  // [B N, H, 2 window + S, w]
    const Tensor spans = at::constant_pad_nd(of_near, {0, 0, before, rest + window - before})
                             .unfold(2, 2 * window, window)
                             .permute({0, 2, 1, 4, 3});
    return at::cat({spans, of_far.unsqueeze(1).expand({B, N, H, S, w})}, 3).flatten(0, 1);
  };
  const auto whole = [&](const Tensor& allowed, std::int64_t count) {
    return allowed.expand({B, N, window, count}).reshape({B * N, 1, window, count});
  };
  const Tensor far_seen = at::constant_pad_nd(far.allowed.expand({-1, 1, T, S}), {0, 0, 0, rest})
                              .view({far.allowed.size(0), N, window, S});
  const Tensor pairs = near_pairs(padding, near.q, T, window, before, bidirectional);
  const Tensor allowed = at::cat({whole(pairs, 2 * window), whole(far_seen, S)}, 3);
  const Tensor q = at::constant_pad_nd(near.q, {0, 0, 0, rest})
                       .view({B, H, N, window, w})
                       .transpose(1, 2)
                       .flatten(0, 1);
  const Tensor y = attend({q, keys(near.k, far.k), keys(near.v, far.v)}, {allowed}, context);
  return y.view({B, N, H, window, w})
      .transpose(1, 2)
      .reshape({B, H, N * window, w})
      .narrow(2, 0, T);
}

}  // namespace

lcsm::BlockResult TransformerLs::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                         const lcsm::BlockContext& context) const {
  const std::int64_t T = x.size(1);
  const Qkv qkv = qkv_of(weights, x, heads);
  const Keys far = far_keys(*this, weights, x, qkv, context.padding);
  const Qkv near{qkv.q, stream_normed(weights, "near_norm", qkv.k),
                 stream_normed(weights, "near_norm", qkv.v)};
  Tensor y;
  if (context.backend == lcsm::Backend::kReference) {
    const Tensor pairs = dense_pairs(x, context.padding, bidirectional) &
                         in_window(x, T, window, bidirectional ? window / 2 : window);
    y = dense(near, far, pairs.expand({x.size(0), 1, T, T}), context);
  } else {
    y = by_segments(near, far, context.padding, window, bidirectional, context);
  }
  return {lcsm::project(weights, "output", joined_heads(y)), {}};
}

}  // namespace runner
