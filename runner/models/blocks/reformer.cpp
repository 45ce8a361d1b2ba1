// Reformer (Kitaev et al. 2020): queries are keys, k = q / |q|. In each round r a position sees the
// positions with its hash,
//   h_r = argmax [q R_r; -q R_r],  R_r [w, buckets / 2] random and fixed,
// in its own chunk of the bucket and the chunk before. It sees itself only if there is no other:
// its score is lowered by 50000 (the authors' 100000 is infinite in float16). Rounds are joined by
// the sums of their weights,
//   y = sum over r of exp(z_r) y_r / sum over r of exp(z_r),  z_r = log sum of exp(scores),
// each score less log N, N the rounds in which the pair meets, so that the result is one softmax
// over all positions seen in any round. duplicates=true: without log N. Chunks begin anew in each
// bucket, at its first position. The authors cut the whole sorted sequence at equal distances,
// which depend on later positions and on padding. Linear in T if the number of buckets is at most T
// / chunk; short sequences use plain attention.
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/log.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <limits>

#include "lcsm/base/random.h"
#include "lcsm/layer/block.h"
#include "runner/models/blocks/attention.h"
#include "runner/systems/efficient_attention.h"

namespace runner {
namespace {

using at::Tensor;

constexpr double kNever = -std::numeric_limits<double>::infinity(), kSelf = -5e4;

Tensor rotations(std::int64_t rounds, std::int64_t width, std::int64_t half, std::uint64_t draw) {
  lcsm::Random random = lcsm::random_for(draw, "rotations");
  const Tensor values = at::empty({rounds, width, half}, at::kDouble);
  double* out = values.mutable_data_ptr<double>();
  for (std::int64_t n = 0; n < values.numel(); ++n) out[n] = random.normal();
  return values;
}

// [B, H, R, T]: 0 ... buckets - 1, and `buckets` of padding.
Tensor hashes(const Reformer& form, const Tensor& q, const Tensor& padding) {
  const std::int64_t buckets = form.buckets, rounds = form.rounds;
  Tensor hash = at::zeros({q.size(0), q.size(1), rounds, q.size(2)}, q.options().dtype(at::kLong));
  if (buckets > 1) {
    const auto draw = static_cast<std::uint64_t>(form.draw);
    const std::int64_t width = q.size(3), half = buckets / 2;
    const Tensor planes = rotations(rounds, width, half, draw).to(q.options()).transpose(0, 1);
    const Tensor turned = at::bmm(q.detach().reshape({1, q.numel() / width, width}),
                                  planes.reshape({1, width, rounds * half}))
                              .view({q.size(0), q.size(1), q.size(2), rounds, half})
                              .transpose(2, 3);  // [B, H, R, T, half]
    hash = at::argmax(at::cat({turned, -turned}, -1), -1);
  }
  return padding.defined() ? hash.masked_fill(padding.unsqueeze(1).unsqueeze(1), buckets) : hash;
}

struct Joined {
  Tensor y, z;  // of each round: [B, H, R, T, w], [B, H, R, T]
};

// The bias that is added to the scores, [..., T, S]; `met`: the number of rounds in which a pair
// meets.
Tensor bias_of(const Tensor& allowed, const Tensor& self, const Tensor& met) {
  return (-at::log(met.clamp_min(1))).masked_fill(~allowed, kNever).masked_fill(self, kSelf);
}

Joined weighted(const Tensor& scores, const Tensor& values, const lcsm::BlockContext& context) {
  const Tensor z = at::logsumexp(scores, -1), weights = at::exp(scores - z.unsqueeze(-1));
  return {at::matmul(lcsm::dropped(context, weights), values), z};
}

struct Form {
  std::int64_t buckets, rounds, chunk;
  bool bidirectional, duplicates;
};

Joined by_all_pairs(const Qkv& qkv, const Tensor& hash, const Form& form,
                    const lcsm::BlockContext& context) {
  const std::int64_t T = qkv.q.size(2);
  const Tensor same = hash.unsqueeze(-1) == hash.unsqueeze(-2);  // [B, H, R, T, T]
  const Tensor place = same.tril(-1).sum(-1).floor_divide(form.chunk);
  const Tensor back = place.unsqueeze(-1) - place.unsqueeze(-2);
  Tensor allowed = same & (back >= 0) & (back <= 1);
  if (!form.bidirectional) allowed = allowed.tril();
  const Tensor all = allowed.to(qkv.q.scalar_type());
  const Tensor met = form.duplicates ? all : all.sum(2, true).expand_as(all);
  const Tensor scores = at::matmul(qkv.q, qkv.k.transpose(2, 3)).unsqueeze(2);
  const Tensor self = at::eye(T, allowed.options());
  return weighted(scores + bias_of(allowed, self, met), qkv.v.unsqueeze(2), context);
}

// Assigns positions to slots so that each bucket begins a chunk of its own: [G, T] slots of chunks.
Tensor slots_of(const Tensor& hash, std::int64_t buckets, std::int64_t chunk) {
  const std::int64_t G = hash.size(0), T = hash.size(1);
  const Tensor t = at::arange(T, hash.options());
  const Tensor order = at::argsort(hash * T + t, std::int64_t{1}), sorted = hash.gather(1, order);
  const Tensor counts =
      at::zeros({G, buckets + 1}, hash.options()).scatter_add(1, hash, at::ones_like(hash));
  const Tensor whole = (counts + chunk - 1).floor_divide(chunk) * chunk;
  const Tensor rank = t - (at::cumsum(counts, 1) - counts).gather(1, sorted);
  const Tensor slot = rank + (at::cumsum(whole, 1) - whole).gather(1, sorted);
  return at::zeros_like(slot).scatter(1, order, slot);
}

// Positions in their slots: of each round [G, N chunk], in chunks.
class Chunks {
 public:
  Chunks(const Tensor& slots, std::int64_t chunk)
      : G(slots.size(0)),
        T(slots.size(1)),
        m(chunk),
        N(slots.max().item<std::int64_t>() / chunk + 1) {
    positions = at::full({G, N * m}, T, slots.options())
                    .scatter(1, slots, at::arange(T, slots.options()).expand({G, T}));
    taken_ = positions.clamp(0, T - 1);
  }

  // rows [G, T] or [G, T, w]: [G, N, chunk, 1 or w].
  Tensor placed(const Tensor& rows) const {
    const Tensor flat = rows.view({G, T, -1});
    const std::int64_t w = flat.size(2);
    return flat.gather(1, taken_.unsqueeze(-1).expand({G, N * m, w})).view({G, N, m, w});
  }

  // Appends each chunk to the one before it, [G, N, 2 chunk, w]; `none` stands before the first.
  Tensor with_before(const Tensor& x, double none) const {
    return at::cat({at::constant_pad_nd(x.narrow(1, 0, N - 1), {0, 0, 0, 0, 1, 0}, none), x}, 2);
  }

  const std::int64_t G, T, m, N;
  Tensor positions;  // T in an empty slot

 private:
  Tensor taken_;
};

// The number of each position's chunk, with a gap after each bucket: two positions meet if their
// numbers are equal or differ by one. They are whole, and in float32, which takes half of int64's
// memory.
Tensor codes_of(const Tensor& hash, const Tensor& slots, std::int64_t chunk) {
  return (slots.floor_divide(chunk) + hash).to(at::kFloat);
}

// True where two positions meet.
Tensor adjacent(const Tensor& query, const Tensor& key) {
  const Tensor gap = query - key;
  return (gap >= 0) & (gap <= 1);
}

// The number of rounds in which each query of a chunk meets each of its keys.
Tensor meetings(const Chunks& chunks, const Tensor& codes, std::int64_t rounds,
                const Tensor& like) {
  Tensor met = at::zeros({chunks.G, chunks.N, chunks.m, 2 * chunks.m}, like.options());
  const Tensor by_round = codes.view({-1, rounds, chunks.T});
  for (std::int64_t r = 0; r < rounds; ++r) {
    const Tensor code = chunks.placed(
        by_round.narrow(1, r, 1).expand({-1, rounds, -1}).reshape({chunks.G, chunks.T}));
    met.add_(adjacent(code, chunks.with_before(code, -2).transpose(2, 3)));
  }
  return met;
}

// The number of rounds in which each pair of positions meets, [B, H, T, T]; codes as in `meetings`.
Tensor meetings_of_all(const Tensor& hash, const Form& form) {
  const std::int64_t T = hash.size(3);
  const Tensor flat = hash.reshape({-1, T});
  const Tensor codes =
      codes_of(flat, slots_of(flat, form.buckets, form.chunk), form.chunk).view(hash.sizes());
  Tensor met = at::zeros({hash.size(0), hash.size(1), T, T}, codes.options());
  for (std::int64_t r = 0; r < hash.size(2); ++r) {
    const Tensor code = codes.select(2, r);
    met.add_(adjacent(code.unsqueeze(-1), code.unsqueeze(-2)));
  }
  return form.bidirectional ? met : met.tril();
}

// One softmax over all positions that a position sees in any round.
Tensor at_once(const Qkv& qkv, const Tensor& hash, const Form& form,
               const lcsm::BlockContext& context) {
  const Tensor met = meetings_of_all(hash, form);
  const Tensor bias = form.duplicates ? at::log(met.clamp_min(1).to(qkv.q.scalar_type()))
                                      : at::zeros(met.sizes(), qkv.q.options());
  bias.masked_fill_(met == 0, kNever)
      .masked_fill_(at::eye(met.size(3), met.options().dtype(at::kBool)), kSelf);
  const Tensor weights = at::softmax(at::matmul(qkv.q, qkv.k.transpose(2, 3)) + bias, -1);
  return at::matmul(lcsm::dropped(context, weights), qkv.v);
}

Joined by_chunks(const Qkv& qkv, const Tensor& hash, const Form& form,
                 const lcsm::BlockContext& context) {
  const std::int64_t B = qkv.q.size(0), H = qkv.q.size(1), T = qkv.q.size(2), w = qkv.q.size(3),
                     R = hash.size(2), G = B * H * R;
  const Tensor flat = hash.reshape({G, T}), slots = slots_of(flat, form.buckets, form.chunk);
  const Chunks chunks(slots, form.chunk);
  const auto placed = [&](const Tensor& x) {
    return chunks.placed(x.unsqueeze(2).expand({B, H, R, T, w}).reshape({G, T, w}));
  };
  const Tensor t = chunks.positions.view({G, chunks.N, form.chunk, 1}),
               bucket = chunks.placed(flat);
  const Tensor u = chunks.with_before(t, static_cast<double>(T)).transpose(2, 3);
  Tensor allowed = (u < T) & (bucket == chunks.with_before(bucket, -1).transpose(2, 3));
  if (!form.bidirectional) allowed = allowed & (u <= t);
  const Tensor met = form.duplicates
                         ? allowed.to(qkv.q.scalar_type())
                         : meetings(chunks, codes_of(flat, slots, form.chunk), R, qkv.q);
  const Tensor bias = bias_of(allowed, u == t, met);  // an empty slot sees empty ones
  const Tensor scores =
      at::matmul(placed(qkv.q), chunks.with_before(placed(qkv.k), 0).transpose(2, 3)) + bias;
  const Joined in_place = weighted(scores, chunks.with_before(placed(qkv.v), 0), context);
  return {in_place.y.view({G, -1, w})
              .gather(1, slots.unsqueeze(-1).expand({G, T, w}))
              .view({B, H, R, T, w}),
          in_place.z.view({G, -1}).gather(1, slots).view({B, H, R, T})};
}

}  // namespace

lcsm::BlockResult Reformer::forward(const lcsm::Weights& weights, const at::Tensor& x,
                                    const lcsm::BlockContext& context) const {
  const Form form{buckets, rounds, chunk, bidirectional, duplicates};
  const Tensor q = heads_of(lcsm::project(weights, "query", x), heads);
  const Tensor length = at::linalg_vector_norm(q, 2, at::IntArrayRef{-1}, true).clamp_min(1e-6);
  const Qkv qkv{q / std::sqrt(static_cast<double>(q.size(3))), q / length,
                heads_of(lcsm::project(weights, "value", x), heads)};
  const Tensor hash = hashes(*this, q, context.padding);
  const std::int64_t T = x.size(1);
  // A bucket with a single position fills a chunk too, in each round.
  const bool few_pairs = T * T <= form.rounds * (T + form.buckets * form.chunk) * 2 * form.chunk;
  if (context.backend != lcsm::Backend::kReference && few_pairs)
    return {lcsm::project(weights, "output", joined_heads(at_once(qkv, hash, form, context))), {}};
  const Joined hashed = context.backend == lcsm::Backend::kReference
                            ? by_all_pairs(qkv, hash, form, context)
                            : by_chunks(qkv, hash, form, context);
  const Tensor y = (hashed.y * at::softmax(hashed.z, 2).unsqueeze(-1)).sum(2);
  return {lcsm::project(weights, "output", joined_heads(y)), {}};
}

}  // namespace runner
