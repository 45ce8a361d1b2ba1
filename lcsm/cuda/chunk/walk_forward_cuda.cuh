// Forward: y of a chunk from the memory before it and from its own steps, while the rows of the
// next chunk arrive.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"

namespace lcsm {

template <int K, bool kDecays>
struct WalkForward : WalkTile<K> {
  using Tile = WalkTile<K>;
  using Tile::c;
  using Tile::D;
  using Tile::lane;
  using Tile::warp;
  using typename Tile::Memory;

  struct Stage {
    Rows<K> s, e;
    Rows<D> i;
  };
  // Without decays chunks take turns in them. With decays the rows arrive in the first, and are in
  // the second as scaled.
  static constexpr int kStageBytes = kChunkRows * (2 * Rows<K>::kBytes + Rows<D>::kBytes);
  unsigned rows_at;
  Rows<D> memory;
  RowLogs<K> log_k;
  Rows<D> logs_d;   // of chunks that take turns
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on

  __device__ explicit WalkForward(const ChunkCuda& given) : Tile(given) {
    extern __shared__ __align__(128) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    rows_at = free;
    free += 2 * kStageBytes;
    memory = take_rows<D, K>(free);
    if (!kDecays) return;
    log_k.any = c.log_k.data != nullptr, log_k.one = c.one_log_k;
    if (log_k.any) log_k.rows = take_rows<K>(free);
    if (c.log_d.data) logs_d = take_rows<D, 2 * kChunkRows>(free);
    in = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
    const int both = K + (c.log_d.data ? D : 0);
    out = in + both;
    for (int n = static_cast<int>(threadIdx.x); n < 2 * both; n += Tile::kThreads) in[n] = 1;
  }

  __device__ Stage stage(int n) const {
    unsigned free = rows_at + n * kStageBytes;
    Stage at;
    at.s = take_rows<K>(free), at.e = take_rows<K>(free), at.i = take_rows<D>(free);
    return at;
  }
  __device__ Rows<D> log_d(int turn) const {
    return {logs_d.at + turn * kChunkRows * Rows<D>::kBytes};
  }

  __device__ void fetch_chunk(const Stage& to, int t) const {
    constexpr int N = Tile::kThreads;
    const int count = min(kChunkRows, this->end - t), turn = t / kChunkRows % 2;
    fetch<K, N>(to.s, row_of(c.s, this->b, t), c.s.t, c.K, count);
    fetch<K, N>(to.e, row_of(c.e, this->b, t), c.e.t, c.K, count);
    fetch<D, N>(to.i, row_of(c.i, this->b, t) + this->first_d, c.i.t, this->width, count);
    if (!kDecays) return;
    if (log_k.any && !log_k.one)
      fetch<K, N>(log_k.rows, row_of(c.log_k, this->b, t), c.log_k.t, c.K, count);
    if (c.log_d.data)
      fetch<D, N>(log_d(turn), row_of(c.log_d, this->b, t) + this->first_d, c.log_d.t, this->width,
                  count);
  }

  // Scales rows by their role: s by the decay from its anchor, e and i by the inverse. False where
  // a scale is out of range.
  template <Anchor anchor, bool kLater, bool kEarlier>
  __device__ __forceinline__ bool scale_rows(const WalkPass& pass, int turn) const {
    const Stage from = stage(0), to = stage(1);
    const Signs<anchor> signs(lane, warp, pass.size);
    const bool bounded = !pass.whole();
    float range = 0;
    constexpr int kPart = K < 64 ? K : 64;
#pragma unroll 1
    for (int first = 0; first < K; first += kPart) {
      Sum logs[kPart / 16];
      log_k.sums(logs, lane, signs, first);
      each_two<K>(logs, lane, warp, first, [&](const Place& place, float2& log) {
        add_range(range, log);
        if (kLater) {
          const float2 x = get_two(from.s, place),
                       w = exp_of(log, factor_of(Power::kScale), bounded);
          put_two(to.s, place, {x.x * w.x, x.y * w.y});
        }
        if (kEarlier) {
          const float2 x = get_two(from.e, place),
                       w = exp_of(log, factor_of(Power::kInverse), bounded);
          put_two(to.e, place, {x.x * w.x, x.y * w.y});
        }
      });
      if (kLater)
        keep_ends<K>(signs, logs, lane, warp, first, in, out,
                     [&](const Place& place) { return log_k.first(place); });
    }
    if (!c.log_d.data) {
      if (kEarlier)
#pragma unroll
        for (int n = 0; n < kChunkRows * Rows<D>::kBytes / 16; n += Tile::kThreads) {
          const unsigned at = (n + threadIdx.x) * 16;
          put_unit(to.i.at + at, get_unit(from.i.at + at));
        }
      return range <= kWalkRange;
    }
    Sum logs[D / 16];
    sums_of_logs(logs, lane, log_d(turn), signs, 0);
    each_two<D>(logs, lane, warp, 0, [&](const Place& place, float2& log) {
      add_range(range, log);
      if (kEarlier) {
        const float2 x = get_two(from.i, place),
                     w = exp_of(log, factor_of(Power::kInverse), bounded);
        put_two(to.i, place, {x.x * w.x, x.y * w.y});
      }
    });
    if (kLater)
      keep_ends<D>(signs, logs, lane, warp, 0, in + K, out + K,
                   [&](const Place& place) { return get_two(log_d(turn), place); });
    return range <= (log_k.any ? kWalkRange / 2 : kWalkRange);
  }
  __device__ __forceinline__ bool scale_rows(const WalkPass& pass, int turn) const {
    if (!pass.ends()) return scale_rows<Anchor::kMiddle, true, true>(pass, turn);
    scale_rows<Anchor::kBefore, true, false>(pass, turn);
    scale_rows<Anchor::kEnd, false, true>(pass, turn);
    return true;
  }

  // Whether memories are kept from where they lie in shared memory.
  __device__ bool keeps_shared() const { return !kDecays && this->width == D && c.D % 8 == 0; }
  __device__ Bfloat16* kept_at(int t) const {
    const int skipped = c.enters ? 0 : 1;
    const long long copy =
        static_cast<long long>(this->b) * chunk_kept(c.T, c.enters) + t / kChunkRows - skipped;
    return static_cast<Bfloat16*>(c.kept) + copy * c.K * c.D + this->first_d;
  }
  __device__ void keep(int t) const {
    if (c.kept == nullptr || !keeps_shared()) return;
#pragma unroll
    for (int row = 16 * warp; row < K; row += 16 * Tile::kWarps)
      store_band(memory, lane, row / 16, kept_at(t) + static_cast<long long>(row) * c.D, c.D,
                 c.K - row);
  }

  // Of the rows in `at`, the memory before them in m: leaves in m what enters the next chunk.
  __device__ __forceinline__ void compute(const Stage& at, const WalkPass& pass, Memory& m, int t,
                                          int turn) const {
    const bool enters = pass.memories() && (t > 0 || c.enters);
    const bool leaves =
        pass.memories() && (t + kChunkRows < this->end || (this->end == c.T && c.leaves));
    const bool bare = !kDecays || pass.ends();  // the memory is read as it enters
    if (enters) {
      if (!bare) this->scale(m, in, c.log_d.data != nullptr);
      this->stash(m, memory);
      if (kDecays && pass.ends()) this->scale(m, out, c.log_d.data != nullptr);
    }
    Left<Bfloat16> s[K / 16];
#pragma unroll
    for (int k = 0; k < K / 16; ++k) load_left<false>(s[k], lane, at.s, 16 * warp, 16 * k);
    Sum y[D / 16] = {};
    const Pairs pairs = kDecays ? pass.pairs() : Pairs{0, kChunkRows};
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Right<Bfloat16> i[D / 16];
#pragma unroll
      for (int p = 0; p < D / 16; ++p) load_right<true>(i[p], lane, at.i, 16 * p, 16 * q);
      if (q <= warp && (!kDecays || pass.scores())) {
        Sum scores;
#pragma unroll
        for (int k = 0; k < K / 16; ++k) {
          Right<Bfloat16> e;
          load_right<false>(e, lane, at.e, 16 * q, 16 * k);
          if (k == 0)
            multiply_first(scores, s[k], e);
          else
            multiply(scores, s[k], e);
        }
        pick<Half::kUntil>(scores, lane, warp, q, pairs);
        Left<Bfloat16> left;
        left_of(scores, &left);
#pragma unroll
        for (int p = 0; p < D / 16; ++p) multiply(y[p], left, i[p]);
      }
      if (leaves) this->add_outer(m, at.e, at.i, q, i);
    }
    __syncthreads();
    if (enters)
#pragma unroll
      for (int k = 0; k < K / 16; ++k)
#pragma unroll
        for (int p = 0; p < D / 16; ++p) {
          Right<Bfloat16> right;
          load_right<true>(right, lane, memory, 16 * p, 16 * k);
          multiply(y[p], s[k], right);
        }
    if (!kDecays && enters) keep(t);
    if (kDecays && leaves && !bare) this->scale(m, out, c.log_d.data != nullptr);
    if (kDecays && c.log_d.data) {
      Sum logs[D / 16];
      if (pass.ends())
        sums_of_logs(logs, lane, log_d(turn), Signs<Anchor::kBefore>(lane, warp, 0), 0);
      else
        sums_of_logs(logs, lane, log_d(turn), Signs<Anchor::kMiddle>(lane, warp, pass.size), 0);
#pragma unroll
      for (int x = 0; x < D / 2; ++x)
        y[x / 8][x / 4 % 2][x % 4] *=
            exp_of(logs[x / 8][x / 4 % 2][x % 4], factor_of(Power::kScale), !pass.whole());
    }
    put_y(y, at, pass, t + 16 * warp);
  }
  // Of the band of 16 steps from t on, through its own rows of s where these are wide enough.
  __device__ void put_y(Sum (&y)[D / 16], const Stage& at, const WalkPass& pass, int t) const {
    const int rows = this->end - t;
    Bfloat16* const to = static_cast<Bfloat16*>(c.to_y) + this->step(t) * c.D + this->first_d;
    if (K >= D && pass.memories() && this->width == D && c.D % 8 == 0) {
      __syncwarp();
      each_two<K>(y, lane, warp, 0,
                  [&](const Place& place, float2& x) { put_two(at.s, place, x); });
      __syncwarp();
      return store_band(at.s, lane, warp, to, c.D, rows);
    }
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = lane.row() + 8 * below;
#pragma unroll
      for (int p = 0; p < D / 16; ++p)
        put_columns(row < rows ? to + static_cast<long long>(row) * c.D : nullptr, 16 * p,
                    this->width, c.D, y[p], below, kDecays && !pass.memories());
    }
  }
};

template <int K, bool kDecays>
__device__ __forceinline__ void walk_forward(const ChunkCuda& given) {
  using Walk = WalkForward<K, kDecays>;
  const Walk walk(given);
  const ChunkCuda& c = walk.c;
  typename Walk::Memory m;
  walk.load(c.first, m);
  walk.fetch_chunk(walk.stage(kDecays ? 0 : walk.begin / kChunkRows % 2), walk.begin);
  for (int t = walk.begin; t < walk.end; t += kChunkRows) {
    const int turn = t / kChunkRows % 2, next = t + kChunkRows;
    if (kDecays && walk.log_k.any && walk.log_k.one)
      fetch_one<Walk::kThreads>(walk.log_k.rows.at, c.log_k, walk.b, t,
                                min(kChunkRows, walk.end - t));
    arrived();
    __syncthreads();
    if (!kDecays && next < walk.end) walk.fetch_chunk(walk.stage(1 - turn), next);
    if (c.kept && (t > 0 || c.enters) && !walk.keeps_shared())
      walk.store(m, walk.kept_at(t) - walk.first_d, 0);
    if constexpr (!kDecays) {
      walk.compute(walk.stage(turn), {}, m, t, turn);
    } else if (__syncthreads_and(walk.scale_rows({}, turn))) {
      if (next < walk.end) walk.fetch_chunk(walk.stage(0), next);
      walk.compute(walk.stage(1), {}, m, t, turn);
    } else {
      for (WalkPass pass{WalkPass::Kind::kEnds};;) {
        __syncthreads();
        const bool fits = __syncthreads_and(walk.scale_rows(pass, turn) | pass.safe());
        if (fits) walk.compute(walk.stage(1), pass, m, t, turn);
        if (!pass.next(fits)) break;
      }
      __syncthreads();
      if (next < walk.end) walk.fetch_chunk(walk.stage(0), next);
    }
  }
  if (walk.end == c.T) walk.store(m, c.last, walk.b);
}

}  // namespace lcsm
