// FLASH (Hua et al., "Transformer Quality in Linear Time", 2022), chunks of C positions:
//   U = silu(X W_u), V = silu(X W_v), Z = silu(X W_z);  q, k, q', k' = Z * scale_n + offset_n
//   Y = W_o (U * (A + L)),  A_t = sum over u of its chunk of relu(q_t . k_u / C + b_(t-u))^2 V_u
//   causal:     u <= t in A;  L_t = 1/C sum over the chunks before of (q'_t . k'_u) V_u
//   two-sided:  all u of the chunk in A;  L_t = 1/T sum over all u of (q'_t . k'_u) V_u
// The bias b is learned for each distance inside a chunk, as in the paper for short sequences. T
// counts positions that are not padding. The positions that the paper adds to the inputs belong to
// the model.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/silu.h>

#include <algorithm>

#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {
namespace {

using at::Tensor;

struct Unit {
  Tensor q, k, linear_q, linear_k;  // [B, T, s]
  Tensor value;                     // [B, T, e], zero where there is padding
  Tensor bias;                      // of a distance
  Tensor count;                     // [B, 1, 1] or a number: the divisor of the two-sided sum
  std::int64_t chunk;
  bool bidirectional;
};

// relu(q k^T / C + b)^2 for positions that are `steps` apart.
Tensor squared_scores(const Unit& u, const Tensor& q, const Tensor& k, const Tensor& steps) {
  const std::int64_t first = u.bidirectional ? u.chunk - 1 : 0;
  const Tensor place = (steps + first).clamp(0, u.bias.size(0) - 1);
  const Tensor bias = u.bias.index_select(0, place.flatten()).view(place.sizes());
  const Tensor scores = at::relu(at::matmul(q, k.transpose(-1, -2)) / u.chunk + bias);
  const Tensor squares = scores * scores;
  return u.bidirectional ? squares : squares.tril();
}

Tensor steps_between(std::int64_t T, const Tensor& like) {
  const Tensor t = at::arange(T, like.options().dtype(at::kLong));
  return t.unsqueeze(1) - t;
}

Tensor by_all_pairs(const Unit& u) {
  const std::int64_t T = u.q.size(1);
  const Tensor chunk = at::arange(T, u.q.options().dtype(at::kLong)).floor_divide(u.chunk);
  const Tensor same = chunk.unsqueeze(1) == chunk, before = chunk.unsqueeze(1) > chunk;
  const Tensor near = squared_scores(u, u.q, u.k, steps_between(T, u.q)).masked_fill(~same, 0);
  const Tensor far = at::matmul(u.linear_q, u.linear_k.transpose(1, 2));
  return at::matmul(near, u.value) +
         at::matmul(u.bidirectional ? far / u.count : far.masked_fill(~before, 0) / u.chunk,
                    u.value);
}

Tensor by_chunks(const Unit& u) {
  const std::int64_t T = u.q.size(1), C = std::min(u.chunk, T), N = (T + C - 1) / C;
  const auto chunks = [&](const Tensor& x) {  // [B, N, C, ...]
    return at::constant_pad_nd(x, {0, 0, 0, N * C - T}).view({x.size(0), N, C, x.size(2)});
  };
  const Tensor value = chunks(u.value);
  Tensor y = at::matmul(squared_scores(u, chunks(u.q), chunks(u.k), steps_between(C, u.q)), value);
  if (u.bidirectional) {
    y = y.flatten(1, 2).narrow(1, 0, T);
    return y + at::matmul(u.linear_q, at::matmul(u.linear_k.transpose(1, 2), u.value) / u.count);
  }
  const Tensor sums = at::matmul(chunks(u.linear_k).transpose(2, 3), value).narrow(1, 0, N - 1);
  const Tensor before = at::cumsum(at::constant_pad_nd(sums, {0, 0, 0, 0, 1, 0}), 1) / u.chunk;
  return (y + at::matmul(chunks(u.linear_q), before)).flatten(1, 2).narrow(1, 0, T);
}

}  // namespace

lcsm::BlockResult Flash::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                 const lcsm::BlockContext& context) const {
  const auto active = [&](const char* name) { return at::silu(lcsm::project(weights, name, x)); };
  const Tensor z = active("shared");
  const auto head = [&](int n) { return z * weights.at("scale")[n] + weights.at("offset")[n]; };
  Unit u{head(0),
         head(1),
         head(2),
         head(3),
         without_padding(active("value"), context.padding),
         weights.at("position_bias"),
         {},
         chunk,
         bidirectional};
  u.count = context.padding.defined()
                ? (~context.padding).sum(1).clamp_min(1).to(x.scalar_type()).view({-1, 1, 1})
                : at::scalar_tensor(x.size(1), x.options());
  const Tensor y = context.backend == lcsm::Backend::kReference ? by_all_pairs(u) : by_chunks(u);
  return {lcsm::project(weights, "output", active("gate") * y), {}};
}

}  // namespace runner
