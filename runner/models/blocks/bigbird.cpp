// BigBird (Zaheer et al. 2020) in its "internal" form, without extra tokens: softmax attention of
// blocks of C positions to
//   global blocks: the first ones, which see all,
//   near blocks:   their own, and (window - 1) / 2 on each side,
//   random blocks: the other blocks (except padding) with the smallest random numbers, one
//                  fixed random number for each pair of blocks: longer sequences keep theirs.
// Causal (not in the paper): without later positions, random blocks among earlier ones. Linear in
// T: each block sees global + window + random blocks.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "lcsm/base/random.h"
#include "lcsm/layer/block.h"
#include "lcsm/machines/constant.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {
namespace {

using at::Tensor;

struct Pattern {
  std::int64_t block, side, global, random;
  std::uint64_t draw;
  bool bidirectional;

  double number(std::int64_t i, std::int64_t j) const {
    const auto pair = static_cast<std::uint64_t>(i) << 24 ^ static_cast<std::uint64_t>(j);
    return lcsm::Random(draw << 48 ^ pair).uniform();
  }
};

// [B, N]: true if a block has anything but padding.
Tensor present(const Tensor& real, const Pattern& p) {
  const std::int64_t N = (real.size(1) + p.block - 1) / p.block;
  return at::constant_pad_nd(real, {0, N * p.block - real.size(1)})
      .view({real.size(0), N, p.block})
      .any(-1);
}

// ----- The definition -----

// True at [i, j] if block i of one sequence sees block j, [N, N].
Tensor seen_blocks(const Tensor& there, const Pattern& p) {
  const std::int64_t N = there.size(0);
  const Tensor seen = at::zeros({N, N}, at::kBool);
  for (std::int64_t i = 0; i < N; ++i) {
    std::vector<std::pair<double, std::int64_t>> others;
    for (std::int64_t j = 0; j < N; ++j) {
      const bool near = std::abs(i - j) <= p.side, global = j < p.global || i < p.global;
      if (near || global)
        seen[i][j].fill_(true);
      else if (there[j].item<bool>() && (p.bidirectional || j < i))
        others.emplace_back(p.number(i, j), j);
    }
    std::sort(others.begin(), others.end());
    const auto count = std::min<std::size_t>(others.size(), static_cast<std::size_t>(p.random));
    for (std::size_t n = 0; n < count; ++n) seen[i][others[n].second].fill_(true);
  }
  return seen;
}

Tensor by_all_pairs(const Qkv& qkv, const Tensor& x, const Tensor& real, const Pattern& p,
                    const lcsm::BlockContext& context) {
  const std::int64_t T = x.size(1);
  std::vector<Tensor> seen = {at::zeros({0, 1, T, T}, real.options().dtype(at::kBool))};
  const Tensor there = present(real, p);
  for (std::int64_t b = 0; b < there.size(0); ++b)
    seen.push_back(seen_blocks(there[b], p)
                       .repeat_interleave(p.block, 0)
                       .repeat_interleave(p.block, 1)
                       .narrow(0, 0, T)
                       .narrow(1, 0, T)
                       .unsqueeze(0)
                       .unsqueeze(0));
  const Tensor pairs = dense_pairs(x, context.padding, p.bidirectional);
  return attend(qkv, {at::cat(seen, 0) & pairs}, context);
}

// ----- By blocks -----

// The blocks that each block sees: their numbers, and true where a number counts, both [B, N, M].
struct Seen {
  Tensor blocks, counts;
};

Seen random_blocks(const Tensor& there, const Pattern& p, const lcsm::GpuOrCpu& gpu) {
  const std::int64_t N = there.size(1), G = std::min(p.global, N);
  const auto draw = [&] {
    const Tensor all = at::full({N, N}, 2.0, at::kDouble);  // 2: never chosen
    double* to = all.mutable_data_ptr<double>();
    for (std::int64_t i = 0; i < N; ++i)
      for (std::int64_t j = G; j < (p.bidirectional ? N : i); ++j)
        if (std::abs(i - j) > p.side) to[i * N + j] = p.number(i, j);
    return all.to(there.device());
  };
  const std::string name =
      c10::str("random blocks ", N, " ", G, " ", p.side, " ", p.draw, " ", p.bidirectional);
  const Tensor open = lcsm::constant(gpu, name, draw).masked_fill(~there.unsqueeze(1), 2.0);
  const auto [values, blocks] = at::topk(open, std::min(p.random, N), -1, /*largest=*/false);
  return {blocks, values < 1.5};
}

Seen all_seen(const Tensor& there, const Pattern& p, const lcsm::GpuOrCpu& gpu) {
  const std::int64_t B = there.size(0), N = there.size(1), G = std::min(p.global, N);
  const Tensor block = at::arange(N, there.options().dtype(at::kLong));
  const Tensor first = block.narrow(0, 0, G).expand({B, N, G});
  const Tensor near =  // [B, N, window]
      (block.unsqueeze(1) + at::arange(-p.side, p.side + 1, block.options())).expand({B, N, -1});
  const Seen random = random_blocks(there, p, gpu);
  return {at::cat({first, near.clamp(0, N - 1), random.blocks}, 2),
          at::cat({at::ones_like(first, at::kBool), (near >= G) & (near < N), random.counts}, 2)};
}

// True where a position of a block may see one of its M blocks: [B N, 1, C, M C].
Tensor allowed_pairs(const Seen& seen, const Tensor& real, const Tensor& block_of_batch,
                     const Pattern& p) {
  const std::int64_t B = seen.blocks.size(0), N = seen.blocks.size(1), M = seen.blocks.size(2),
                     C = p.block;
  const Tensor inside = at::arange(C, seen.blocks.options());
  const Tensor u = (seen.blocks.unsqueeze(-1) * C + inside).view({B, N, 1, M * C}),
               t = (at::arange(N, inside.options()).unsqueeze(1) * C + inside).view({1, N, C, 1});
  const Tensor counts = seen.counts.repeat_interleave(C, 2).unsqueeze(2);
  Tensor allowed = at::constant_pad_nd(real, {0, N * C - real.size(1)})
                       .view({B * N, C})
                       .index_select(0, block_of_batch)
                       .view(u.sizes());
  if (!p.bidirectional) allowed = allowed & (u <= t);
  return ((allowed | (u == t)) & counts).view({B * N, 1, C, M * C});
}

Tensor by_blocks(const Qkv& qkv, const Tensor& real, const Pattern& p,
                 const lcsm::BlockContext& context) {
  const std::int64_t B = qkv.q.size(0), H = qkv.q.size(1), T = qkv.q.size(2), w = qkv.q.size(3);
  const std::int64_t C = p.block, N = (T + C - 1) / C;
  const Seen seen = all_seen(present(real, p), p, context.gpu);
  const std::int64_t M = seen.blocks.size(2);
  const Tensor block_of_batch =
      (seen.blocks + at::arange(B, seen.blocks.options()).view({B, 1, 1}) * N).flatten();
  const auto blocks = [&](const Tensor& x) {  // [B N, H, C, w]
    return at::constant_pad_nd(x, {0, 0, 0, N * C - T})
        .view({B, H, N, C, w})
        .transpose(1, 2)
        .reshape({B * N, H, C, w});
  };
  const auto gathered = [&](const Tensor& x) {  // [B N, H, M C, w]
    return blocks(x)
        .index_select(0, block_of_batch)
        .view({B * N, M, H, C, w})
        .transpose(1, 2)
        .reshape({B * N, H, M * C, w});
  };
  const Tensor y = attend({blocks(qkv.q), gathered(qkv.k), gathered(qkv.v)},
                          {allowed_pairs(seen, real, block_of_batch, p)}, context);
  return y.view({B, N, H, C, w}).transpose(1, 2).reshape({B, H, N * C, w}).narrow(2, 0, T);
}

}  // namespace

lcsm::BlockResult Bigbird::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                   const lcsm::BlockContext& context) const {
  const Pattern p{block,        window / 2, global, random, static_cast<std::uint64_t>(draw),
                  bidirectional};
  const std::int64_t T = x.size(1), first = std::min(T, p.global * p.block);
  const Qkv qkv = qkv_of(weights, x, heads);
  const Tensor real = context.padding.defined()
                          ? ~context.padding
                          : at::ones({x.size(0), T}, x.options().dtype(at::kBool));
  Tensor y;
  if (context.backend == lcsm::Backend::kReference) {
    y = by_all_pairs(qkv, x, real, p, context);
  } else {
    y = by_blocks(qkv, real, p, context);
    if (p.bidirectional && first > 0) {  // causal: what these see is global by itself
      const Tensor see_all = attend({qkv.q.narrow(2, 0, first), qkv.k, qkv.v},
                                    {seen_by_others(context.padding)}, context);
      y = at::cat({see_all, y.narrow(2, first, T - first)}, 2);
    }
  }
  return {lcsm::project(weights, "output", joined_heads(y)), {}};
}

}  // namespace runner
