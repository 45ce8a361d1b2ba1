// The gradient of the memory after each chunk, from later chunks; from the last chunk to the first.
// Where walk_forward decides for one pass, scales have its anchor, and the gradient is kept scaled.
// Else scales are the decays since the chunk began, at most 1.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"

namespace lcsm {

template <int K, Decaying decaying>
struct WalkReverse : WalkTile<K> {
  using Tile = WalkTile<K>;
  using Tile::c;
  using Tile::D;
  using Tile::lane;
  using Tile::warp;
  using typename Tile::Memory;
  static constexpr bool kDecays = decaying != Decaying::kNone,
                        kChannels = decaying == Decaying::kAny;

  struct Stage {
    Rows<K> s;
    Rows<D> d_y;
    Rows<K> log_k;
    Rows<D> log_d;
  };
  const WalkBackCuda& given;
  unsigned rows_at;
  Rows<D> memory;
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on

  __device__ explicit WalkReverse(const WalkBackCuda& back) : Tile(back.chunk), given(back) {
    extern __shared__ __align__(256) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    rows_at = free;
    free += 2 * stage_bytes();
    memory = take_rows<D, K>(free);
    if (!kDecays) return;
    out = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
    const int both = K + (decays_d() ? D : 0);
    in = out + both;
    const int factors = decides() ? 2 * both : both;
    for (int n = static_cast<int>(threadIdx.x); n < factors; n += Tile::kThreads) out[n] = 1;
  }

  __device__ bool decides() const {
    return kDecays && walk_decides(kChannels, walk_has_tiles(K, c.D));
  }
  __device__ static constexpr bool decays_d() { return kChannels; }
  __device__ bool decays_k() const { return kDecays && (!kChannels || c.log_k.data != nullptr); }
  __device__ int stage_bytes() const {
    const int k = decays_k() ? 2 : 1, d = decays_d() ? 2 : 1;
    return kChunkRows * (k * Rows<K>::kBytes + d * Rows<D>::kBytes);
  }
  __device__ Stage stage(int n) const {
    unsigned free = rows_at + n * stage_bytes();
    Stage at;
    at.s = take_rows<K>(free), at.d_y = take_rows<D>(free);
    if (decays_k()) at.log_k = take_rows<K>(free);
    if (decays_d()) at.log_d = take_rows<D>(free);
    return at;
  }

  __device__ void fetch_chunk(const Stage& to, int t) const {
    constexpr int N = Tile::kThreads;
    const int count = min(kChunkRows, this->end - t);
    const bool whole = c.whole && count == kChunkRows;
    fetch<K, N>(to.s, c.s, c.T, this->b, t, 0, c.K, count, whole);
    fetch<D, N>(to.d_y, c.d_y, c.T, this->b, t, this->first_d, this->width, count, whole);
    if (decays_k() && !c.one_log_k)
      fetch<K, N>(to.log_k, c.log_k, c.T, this->b, t, 0, c.K, count, whole);
    if (decays_d())
      fetch<D, N>(to.log_d, c.log_d, c.T, this->b, t, this->first_d, this->width, count, whole);
  }

  template <Anchor anchor, int W, class Logs, class First>
  __device__ void scale_rows(const Rows<W>& rows, float* to_in, float* to_out, const Logs& logs_of,
                             const First& first_of) const {
    constexpr int kPart = W < 64 ? W : 64;
    const Signs<anchor> signs(lane, warp, kChunkRows);
    float range = 0;
#pragma unroll 1
    for (int first = 0; first < W; first += kPart) {
      Sum logs[kPart / 16];
      Left<Bfloat16> own[kPart / 16];
      logs_of(logs, signs, first);
#pragma unroll
      for (int p = 0; p < kPart / 16; ++p) {
        load_left<false>(own[p], lane, rows, 16 * warp, first + 16 * p);
        scale(own[p], logs[p], factor_of(Power::kScale), false);
      }
      __syncwarp();
#pragma unroll
      for (int p = 0; p < kPart / 16; ++p) store_left(rows, lane, warp, first + 16 * p, own[p]);
      keep_ends<W>(signs, logs, lane, warp, first, to_in, to_out, first_of, range);
    }
  }
  template <Anchor anchor>
  __device__ void scale_chunk(const Stage& at) const {
    constexpr bool kBounded = anchor != Anchor::kMiddle;
    const RowLogs<K> log_k{at.log_k, decays_k(), c.one_log_k};
    if (decays_k())
      scale_rows<anchor>(
          at.s, in, out,
          [&](auto& logs, const auto& signs, int first) {
            log_k.sums(logs, lane, signs, first, kBounded);
          },
          [&](const Place& place) { return log_k.first(place); });
    if (decays_d())
      scale_rows<anchor>(
          at.d_y, in + K, out + K,
          [&](auto& logs, const auto& signs, int first) {
            sums_of_logs(logs, lane, at.log_d, signs, first, kBounded);
          },
          [&](const Place& place) { return get_two(at.log_d, place); });
  }

  // Keeps the gradient behind a chunk.
  __device__ void keep(Memory& m, int t) const {
    const int chunks = chunk_kept(c.T, true), copy = this->b * chunks + t / kChunkRows;
    if (t + kChunkRows >= c.T && !c.leaves) return;
    Bfloat16* const to = static_cast<Bfloat16*>(given.d_kept);
    if (!c.whole) return this->store(m, to, copy);
    this->stash(m, memory);
    this->store_stashed(memory, to, copy);
  }
};

template <int K, Decaying decaying>
__device__ __forceinline__ void walk_reverse(const WalkBackCuda& given) {
  using Walk = WalkReverse<K, decaying>;
  const Walk walk(given);
  const ChunkCuda& c = walk.c;
  typename Walk::Memory m;
  walk.load(c.first, m);
  int turn = 0;
  const int last = (walk.end - 1) / kChunkRows * kChunkRows;
  walk.fetch_chunk(walk.stage(0), last);
  for (int t = last; t >= walk.begin; t -= kChunkRows, turn = 1 - turn) {
    const auto at = walk.stage(turn);
    const bool middle =
        walk.decides() && !c.strong[walk.b * chunk_kept(c.T, true) + t / kChunkRows];
    if (walk.decays_k() && c.one_log_k)
      fetch_one<Walk::kThreads>(at.log_k.at, c.log_k, walk.b, t, min(kChunkRows, walk.end - t));
    arrived();
    __syncthreads();
    if (t > walk.begin) walk.fetch_chunk(walk.stage(1 - turn), t - kChunkRows);
    const bool ends = t == walk.begin && (walk.begin > 0 || c.last == nullptr);
    if (!middle) walk.keep(m, t);
    if (!middle && ends) break;
    if constexpr (Walk::kDecays) {
      if (middle)
        walk.template scale_chunk<Anchor::kMiddle>(at);
      else
        walk.template scale_chunk<Anchor::kBefore>(at);
      __syncthreads();
      walk.scale(m, walk.out, walk.decays_d());
      if (middle) walk.keep(m, t);
      if (ends) break;
    }
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Right<Bfloat16> d_y[Walk::D / 16];
#pragma unroll
      for (int p = 0; p < Walk::D / 16; ++p)
        load_right<true>(d_y[p], walk.lane, at.d_y, 16 * p, 16 * q);
      walk.add_outer(m, at.s, at.d_y, q, d_y);
    }
    if (middle) walk.scale(m, walk.in, walk.decays_d());
  }
  if (walk.begin == 0) walk.store(m, c.last, walk.b);
}

}  // namespace lcsm
