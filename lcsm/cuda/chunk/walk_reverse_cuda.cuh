// The gradient of the memory after each chunk by what comes later, from the last chunk to the
// first. Scales are decays since a chunk began, at most 1, so no chunk needs a second pass.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"

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
    for (int n = static_cast<int>(threadIdx.x); n < K + (c.log_d.data ? D : 0); n += Tile::kThreads)
      total[n] = 1;
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
    fetch<K, N>(to.s, row_of(c.s, this->b, t), c.s.t, c.K, count);
    fetch<D, N>(to.d_y, row_of(c.d_y, this->b, t) + this->first_d, c.d_y.t, this->width, count);
    if (!kDecays) return;
    if (c.log_k.data && !c.one_log_k)
      fetch<K, N>(to.log_k, row_of(c.log_k, this->b, t), c.log_k.t, c.K, count);
    if (c.log_d.data)
      fetch<D, N>(to.log_d, row_of(c.log_d, this->b, t) + this->first_d, c.log_d.t, this->width,
                  count);
  }

  template <int W, class Logs>
  __device__ void scale_rows(const Rows<W>& rows, float* at, const Logs& logs_of) const {
    constexpr int kPart = W < 64 ? W : 64;
    const Signs<Anchor::kBefore> signs(lane, warp, 0);
#pragma unroll 1
    for (int first = 0; first < W; first += kPart) {
      Sum logs[kPart / 16];
      logs_of(logs, signs, first);
      each_two<W>(logs, lane, warp, first, [&](const Place& place, float2& log) {
        const float2 x = get_two(rows, place), w = exp_of(log, factor_of(Power::kScale), false);
        put_two(rows, place, {x.x * w.x, x.y * w.y});
      });
      keep_ends<W>(signs, logs, lane, warp, first, at, at, [](const Place&) { return float2{}; });
    }
  }
  __device__ void scale_chunk(const Stage& at) const {
    const RowLogs<K> log_k{at.log_k, c.log_k.data != nullptr, c.one_log_k};
    if (log_k.any)
      scale_rows(at.s, total, [&](auto& logs, const auto& signs, int first) {
        log_k.sums(logs, lane, signs, first);
      });
    if (c.log_d.data)
      scale_rows(at.d_y, total + K, [&](auto& logs, const auto& signs, int first) {
        sums_of_logs(logs, lane, at.log_d, signs, first);
      });
  }
};

template <int K, bool kDecays>
__device__ __forceinline__ void walk_reverse(const WalkBackCuda& given) {
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
      walk.scale(m, walk.total, c.log_d.data != nullptr);
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
