// The gradient of the memory after each chunk by what comes later, from the last chunk to the first.
// Scales are decays since a chunk began, at most 1, so no chunk needs a second pass.
#pragma once

#include "lcsm/cuda/walk/walk_tile_cuda.cuh"

namespace lcsm {

template <int K, bool kDecays>
struct WalkReverse : WalkTile<K> {
  using Tile = WalkTile<K>;
  using Tile::c;
  using Tile::D;
  using Tile::lane;
  using Tile::warp;
  using typename Tile::Memory;

  struct Stage {
    Rows<K> s;
    Rows<D> d_y;
    Rows<K> log_k;
    Rows<D> log_d;
  };
  unsigned rows_at;
  float* total;  // [K + D]: what the memory decays by in the chunk

  __device__ explicit WalkReverse(const ChunkCuda& given) : Tile(given) {
    extern __shared__ __align__(128) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    rows_at = free;
    free += 2 * stage_bytes();
    if (!kDecays) return;
    total = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
    for (int n = static_cast<int>(threadIdx.x); n < K + D; n += Tile::kThreads) total[n] = 1;
  }

  __device__ int stage_bytes() const {
    const int k = kDecays && c.log_k.data ? 2 : 1, d = kDecays && c.log_d.data ? 2 : 1;
    return kChunkRows * (k * Rows<K>::kBytes + d * Rows<D>::kBytes);
  }
  __device__ Stage stage(int n) const {
    unsigned free = rows_at + n * stage_bytes();
    Stage at;
    at.s = take_rows<K>(free), at.d_y = take_rows<D>(free);
    if (kDecays && c.log_k.data) at.log_k = take_rows<K>(free);
    if (kDecays && c.log_d.data) at.log_d = take_rows<D>(free);
    return at;
  }

  __device__ void fetch_chunk(const Stage& to, int t) const {
    constexpr int N = Tile::kThreads;
    const int count = min(kChunkRows, this->end - t);
    fetch<K, N>(to.s, row_of(c.s, this->b, t), c.s.t, c.K, kChunkRows, count);
    fetch<D, N>(to.d_y, row_of(c.d_y, this->b, t) + this->first_d, c.d_y.t, this->width,
                kChunkRows, count);
    if (!kDecays) return;
    if (c.log_k.data && !c.one_log_k)
      fetch<K, N>(to.log_k, row_of(c.log_k, this->b, t), c.log_k.t, c.K, kChunkRows, count);
    if (c.log_d.data)
      fetch<D, N>(to.log_d, row_of(c.log_d, this->b, t) + this->first_d, c.log_d.t, this->width,
                  kChunkRows, count);
  }

  template <int W>
  __device__ void scale_two(const Rows<W>& rows, int row, int column, float2 log, float* at) const {
    const float2 x = get_two(rows, row, column), w = {__expf(log.x), __expf(log.y)};
    put_two(rows, row, column, {x.x * w.x, x.y * w.y});
    if (row == kChunkRows - 1) at[column] = w.x, at[column + 1] = w.y;
  }
  template <int W>
  __device__ void scale_rows(const Rows<W>& rows, const Rows<W>& logs, float* at) const {
    constexpr int kPart = W < 64 ? W : 64;
#pragma unroll 1
    for (int first = 0; first < W; first += kPart) {
      Sum sums[kPart / 16];
      sums_of_logs<Anchor::kBefore>(sums, lane, logs, warp, 0, first);
      each_two(sums, lane, warp, [&](int row, int column, float2& log) {
        scale_two(rows, row, first + column, log, at);
      });
    }
  }
  __device__ void scale_chunk(const Stage& at) const {
    if (c.log_k.data && c.one_log_k) {
      const float2 logs = sums_of_one<Anchor::kBefore>(lane, at.log_k.at, warp, 0);
#pragma unroll
      for (int below = 0; below < 2; ++below)
#pragma unroll
        for (int k = lane.column(); k < K; k += 8) {
          const float log = below ? logs.y : logs.x;
          scale_two(at.s, 16 * warp + lane.row() + 8 * below, k, {log, log}, total);
        }
    } else if (c.log_k.data) {
      scale_rows(at.s, at.log_k, total);
    }
    if (c.log_d.data) scale_rows(at.d_y, at.log_d, total + K);
  }
};

template <int K, bool kDecays>
__device__ void walk_reverse(const WalkBackCuda& given) {
  using Walk = WalkReverse<K, kDecays>;
  const Walk walk(given.chunk);
  const ChunkCuda& c = walk.c;
  const int chunks = (c.T + kChunkRows - 1) / kChunkRows;
  typename Walk::Memory m;
  walk.load(c.first, m);
  int turn = 0;
  const int last = (walk.end - 1) / kChunkRows * kChunkRows;
  walk.fetch_chunk(walk.stage(0), last);
  for (int t = last; t >= walk.begin; t -= kChunkRows, turn = 1 - turn) {
    const auto at = walk.stage(turn);
    if (kDecays && c.log_k.data && c.one_log_k)
      fetch_one<Walk::kThreads>(at.log_k.at, c.log_k, walk.b, t, min(kChunkRows, walk.end - t));
    arrived();
    __syncthreads();
    if (t > walk.begin) walk.fetch_chunk(walk.stage(1 - turn), t - kChunkRows);
    if (t + kChunkRows < c.T || c.leaves)
      walk.store(m, static_cast<Bfloat16*>(given.d_kept),
                 static_cast<long long>(walk.b) * chunks + t / kChunkRows);
    if (t == walk.begin && (walk.begin > 0 || c.last == nullptr)) break;
    if (kDecays) {
      walk.scale_chunk(at);
      __syncthreads();
      walk.scale(m, walk.total);
    }
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Right<Bfloat16> d_y[Walk::D / 16];
#pragma unroll
      for (int p = 0; p < Walk::D / 16; ++p)
        load_right<true>(d_y[p], walk.lane, at.d_y, 16 * p, 16 * q);
      walk.add_outer(m, at.s, at.d_y, q, d_y);
    }
  }
  if (walk.begin == 0) walk.store(m, c.last, walk.b);
}

}  // namespace lcsm
