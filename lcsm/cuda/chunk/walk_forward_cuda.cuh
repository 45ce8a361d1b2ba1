// Forward: y of a chunk from the memory before it and from its own steps, while the rows of the
// next chunk arrive.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"

namespace lcsm {

template <int K, Decaying decaying>
struct WalkForward : WalkTile<K> {
  using Tile = WalkTile<K>;
  using Tile::c;
  using Tile::D;
  using Tile::lane;
  using Tile::warp;
  using typename Tile::Memory;
  using LeftRows = Left<Bfloat16>[K / 16];
  static constexpr bool kDecays = decaying != Decaying::kNone,
                        kChannels = decaying == Decaying::kAny;
  static constexpr int kRowBytes = kChunkRows * Rows<K>::kBytes,
                       kInputBytes = kChunkRows * Rows<D>::kBytes;

  struct Stage {
    Rows<K> s, e;
    Rows<D> i;
  };
  Rows<D> memory;
  RowLogs<K> log_k;
  Rows<D> logs_d;   // of chunks that take turns
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on

  __device__ explicit WalkForward(const ChunkCuda& given) : Tile(given) {
    unsigned free = rows_at();
    free += (kDecays ? 3 * kRowBytes + kInputBytes : 4 * kRowBytes) + 2 * kInputBytes;
    memory = take_rows<D, K>(free);
    if (!kDecays) return;
    log_k.any = !kChannels || c.log_k.data != nullptr, log_k.one = c.one_log_k;
    if (log_k.any) log_k.rows = take_rows<K>(free);
    if (decays_d()) logs_d = take_rows<D, 2 * kChunkRows>(free);
    in = reinterpret_cast<float*>(walk_memory() + (free - rows_at()));
    const int both = K + (decays_d() ? D : 0);
    out = in + both;
    for (int n = static_cast<int>(threadIdx.x); n < 2 * both; n += Tile::kThreads) in[n] = 1;
  }

  __device__ static char* walk_memory() {
    extern __shared__ __align__(256) char memory[];
    return memory;
  }
  __device__ static unsigned rows_at() { return shared_of(walk_memory()); }
  __device__ static constexpr bool decays_d() { return kChannels; }
  __device__ bool decides() const {
    return kDecays && walk_decides(kChannels, walk_has_tiles(K, c.D));
  }
  // Without decays chunks take turns in two of them.
  __device__ Stage stage(int n) const {
    unsigned free = rows_at() + n * (2 * kRowBytes + kInputBytes);
    Stage at;
    at.s = take_rows<K>(free), at.e = take_rows<K>(free), at.i = take_rows<D>(free);
    return at;
  }
  // With decays, rows arrive in one place and are read from another. s is scaled into registers, e
  // into shared memory, and i too if channels decay. Else chunks take turns in two places for i.
  __device__ Stage arriving(int turn) const {
    return {{rows_at()}, {rows_at() + kRowBytes}, input(decays_d() ? 0 : turn)};
  }
  __device__ Stage scaled(int turn) const {
    return {{}, {rows_at() + 2 * kRowBytes}, input(decays_d() ? 1 : turn)};
  }
  __device__ Rows<D> input(int n) const {
    return {rows_at() + 3 * kRowBytes + kInputBytes + n * kInputBytes};
  }
  // 16 rows of this warp, for y.
  __device__ Rows<D> own_space(const Stage& at) const {
    return {kDecays ? rows_at() + 3 * kRowBytes + warp * 16 * Rows<D>::kBytes
                    : at.s.at + warp * 16 * Rows<K>::kBytes};
  }
  __device__ Rows<D> log_d(int turn) const { return {logs_d.at + turn * kInputBytes}; }

  __device__ void fetch_chunk(const Stage& to, int t) const {
    constexpr int N = Tile::kThreads;
    const int count = min(kChunkRows, this->end - t), turn = t / kChunkRows % 2;
    const bool whole = c.whole && count == kChunkRows;
    fetch<K, N>(to.s, c.s, c.T, this->b, t, 0, c.K, count, whole);
    fetch<K, N>(to.e, c.e, c.T, this->b, t, 0, c.K, count, whole);
    fetch<D, N>(to.i, c.i, c.T, this->b, t, this->first_d, this->width, count, whole);
    if (!kDecays) return;
    if (log_k.any && !log_k.one)
      fetch<K, N>(log_k.rows, c.log_k, c.T, this->b, t, 0, c.K, count, whole);
    if (decays_d())
      fetch<D, N>(log_d(turn), c.log_d, c.T, this->b, t, this->first_d, this->width, count, whole);
  }

  // Scales rows by their role: s by the decay from its anchor, e and i by the inverse. False where
  // a scale is out of range.
  template <Anchor anchor, bool kLater, bool kEarlier>
  __device__ __forceinline__ bool scale_rows(const WalkPass& pass, int turn, LeftRows& s) const {
    const Stage from = arriving(turn), to = scaled(turn);
    const Signs<anchor> signs(lane, warp, pass.size);
    const bool bounded = !pass.whole();
    float range = 0;
    constexpr int kPart = K < 64 ? K : 64;
#pragma unroll
    for (int first = 0; first < K; first += kPart) {
      Sum logs[kPart / 16];
      log_k.sums(logs, lane, signs, first, bounded);
      if (kLater)
        keep_ends<K>(
            signs, logs, lane, warp, first, in, out,
            [&](const Place& place) { return log_k.first(place); }, range);
      if (bounded) add_ranges(range, logs);
#pragma unroll
      for (int p = 0; p < kPart / 16; ++p) {
        const int column = first + 16 * p;
        Left<Bfloat16> own;
        if (kLater) load_left<false>(s[column / 16], lane, from.s, 16 * warp, column);
        if (kEarlier) load_left<false>(own, lane, from.e, 16 * warp, column);
        if (kLater && kEarlier && !bounded) {
          scale(s[column / 16], own, logs[p]);
        } else {
          if (kLater) scale(s[column / 16], logs[p], factor_of(Power::kScale), bounded);
          if (kEarlier) scale(own, logs[p], factor_of(Power::kInverse), bounded);
        }
        if (kEarlier) store_left(to.e, lane, warp, column, own);
      }
    }
    if (!decays_d()) return range <= kWalkRange;
    Sum logs[D / 16];
    sums_of_logs(logs, lane, log_d(turn), signs, 0, bounded);
    if (kEarlier)
#pragma unroll
      for (int p = 0; p < D / 16; ++p) {
        Left<Bfloat16> own;
        load_left<false>(own, lane, from.i, 16 * warp, 16 * p);
        scale(own, logs[p], factor_of(Power::kInverse), bounded);
        store_left(to.i, lane, warp, 16 * p, own);
      }
    if (kLater)
      keep_ends<D>(
          signs, logs, lane, warp, 0, in + K, out + K,
          [&](const Place& place) { return get_two(log_d(turn), place); }, range);
    if (bounded) add_ranges(range, logs);
    return range <= (log_k.any ? kWalkRange / 2 : kWalkRange);
  }
  __device__ __forceinline__ bool scale_rows(const WalkPass& pass, int turn, LeftRows& s) const {
    if (!pass.ends()) return scale_rows<Anchor::kMiddle, true, true>(pass, turn, s);
    scale_rows<Anchor::kBefore, true, false>(pass, turn, s);
    scale_rows<Anchor::kEnd, false, true>(pass, turn, s);
    return true;
  }

  // True if kept memories are copied from shared memory, else from registers.
  __device__ bool keeps_stashed() const { return (!kDecays || decides()) && c.whole; }
  // Keeps the memory before a chunk: scaled, where walk_forward decides for one pass.
  __device__ void keep(Memory& m, int t) const {
    if (c.kept == nullptr) return;
    const int skipped = c.enters ? 0 : 1,
              copy = this->b * chunk_kept(c.T, c.enters) + t / kChunkRows - skipped;
    if (!keeps_stashed()) return this->store(m, static_cast<Bfloat16*>(c.kept), copy);
    this->store_stashed(memory, static_cast<Bfloat16*>(c.kept), copy);
  }

  // Computes y of the rows in `at`. m is the memory before them, and becomes the one before the
  // next chunk.
  __device__ __forceinline__ void compute(const Stage& at, LeftRows& s, const WalkPass& pass,
                                          Memory& m, int t, int turn) const {
    const bool enters = pass.memories() && (t > 0 || c.enters);
    const bool leaves =
        pass.memories() && (t + kChunkRows < this->end || (this->end == c.T && c.leaves));
    const bool bare = !kDecays || pass.ends();  // the memory is read as it enters
    if (enters) {
      const bool scaled = !kDecays || decides();
      if (!scaled) keep(m, t);
      if (!bare) this->scale(m, in, decays_d());
      this->stash(m, memory);
      if (scaled && !keeps_stashed()) keep(m, t);
      if (kDecays && pass.ends()) this->scale(m, out, decays_d());
    }
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
    if (enters && keeps_stashed()) keep(m, t);
    if (enters)
#pragma unroll
      for (int k = 0; k < K / 16; ++k)
#pragma unroll
        for (int p = 0; p < D / 16; ++p) {
          Right<Bfloat16> right;
          load_right<true>(right, lane, memory, 16 * p, 16 * k);
          multiply(y[p], s[k], right);
        }
    if (kDecays && leaves && !bare) this->scale(m, out, decays_d());
    if (decays_d()) {
      Sum logs[D / 16];
      if (pass.ends())
        sums_of_logs(logs, lane, log_d(turn), Signs<Anchor::kBefore>(lane, warp, 0), 0, true);
      else
        sums_of_logs(logs, lane, log_d(turn), Signs<Anchor::kMiddle>(lane, warp, pass.size), 0,
                     !pass.whole());
#pragma unroll
      for (int x = 0; x < D / 2; ++x)
        y[x / 8][x / 4 % 2][x % 4] *=
            exp_of(logs[x / 8][x / 4 % 2][x % 4], factor_of(Power::kScale), !pass.whole());
    }
    put_y(y, own_space(at), pass, t + 16 * warp);
  }
  // Stores y of this warp's 16 steps, the first of which is t.
  __device__ void put_y(Sum (&y)[D / 16], const Rows<D>& space, const WalkPass& pass, int t) const {
    const int rows = this->end - t;
    Bfloat16* const to = static_cast<Bfloat16*>(c.to_y) + this->step(t) * c.D + this->first_d;
    if ((kDecays || K >= D) && pass.memories() && this->width == D && c.D % 8 == 0) {
      __syncwarp();
      each_two<D>(y, lane, 0, 0, [&](const Place& place, float2& x) { put_two(space, place, x); });
      __syncwarp();
      return store_band(space, lane, 0, to, c.D, rows);
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
  __device__ __forceinline__ void compute(const Stage& at, Memory& m, int t, int turn) const {
    LeftRows s;
#pragma unroll
    for (int k = 0; k < K / 16; ++k) load_left<false>(s[k], lane, at.s, 16 * warp, 16 * k);
    compute(at, s, {}, m, t, turn);
  }
};

template <int K, Decaying decaying>
__device__ __forceinline__ void walk_forward(const ChunkCuda& given) {
  using Walk = WalkForward<K, decaying>;
  constexpr bool kDecays = Walk::kDecays;
  const Walk walk(given);
  const ChunkCuda& c = walk.c;
  typename Walk::Memory m;
  walk.load(c.first, m);
  const auto fetch = [&](int t) {
    const int turn = t / kChunkRows % 2;
    walk.fetch_chunk(kDecays ? walk.arriving(turn) : walk.stage(turn), t);
  };
  fetch(walk.begin);
  for (int t = walk.begin; t < walk.end; t += kChunkRows) {
    const int turn = t / kChunkRows % 2, next = t + kChunkRows;
    if (kDecays && walk.log_k.any && walk.log_k.one)
      fetch_one<Walk::kThreads>(walk.log_k.rows.at, c.log_k, walk.b, t,
                                min(kChunkRows, walk.end - t));
    arrived();
    __syncthreads();
    if constexpr (!kDecays) {
      if (next < walk.end) fetch(next);
      walk.compute(walk.stage(turn), m, t, turn);
    } else {
      typename Walk::LeftRows s;
      const bool fits = __syncthreads_and(walk.scale_rows({}, turn, s));
      if (walk.decides() && c.strong && walk.tile == 0 && threadIdx.x == 0)
        c.strong[walk.b * chunk_kept(c.T, true) + t / kChunkRows] = !fits;
      if (fits) {
        if (next < walk.end) fetch(next);
        walk.compute(walk.scaled(turn), s, {}, m, t, turn);
        continue;
      }
      for (WalkPass pass{WalkPass::Kind::kEnds};;) {
        __syncthreads();
        const bool fits = __syncthreads_and(walk.scale_rows(pass, turn, s) | pass.safe());
        if (fits) walk.compute(walk.scaled(turn), s, pass, m, t, turn);
        if (!pass.next(fits)) break;
      }
      __syncthreads();
      if (next < walk.end) fetch(next);
    }
  }
  if (walk.end == c.T) walk.store(m, c.last, walk.b);
}

}  // namespace lcsm
