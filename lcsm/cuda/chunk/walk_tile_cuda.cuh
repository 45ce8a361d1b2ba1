// A block's tile of the memory in registers, and what the passes of a walk share.
#pragma once

#include "lcsm/cuda/chunk/chunk_memory_cuda.cuh"
#include "lcsm/cuda/chunk/walk_cuda.h"
#include "lcsm/cuda/chunk/walk_decays_cuda.cuh"

namespace lcsm {

template <int W, int rows = kChunkRows>
__device__ Rows<W> take_rows(unsigned& free) {
  const Rows<W> taken{free};
  free += rows * Rows<W>::kBytes;
  return taken;
}

__device__ inline const Bfloat16* row_of(const ChunkInputCuda& in, int b, int t) {
  return static_cast<const Bfloat16*>(in.data) + b * in.b + t * in.t;
}

// Brings rows of W numbers from step t of a sequence on, `most` of them and `count` steps.
template <int W, int kThreads>
__device__ __forceinline__ void fetch(const Rows<W>& to, const ChunkInputCuda& in, int T, int b,
                                      int t, int column, int most, int count, bool whole,
                                      int thread = static_cast<int>(threadIdx.x)) {
  if (whole)
    fetch_whole<W, kThreads>(to, in.data, static_cast<int>(in.t), b * T + t, column, thread);
  else
    fetch<W, kThreads>(to, row_of(in, b, t) + column, in.t, most, count);
}

// Brings decays of one number a step into shared memory.
template <int kThreads>
__device__ void fetch_one(unsigned to, const ChunkInputCuda& log, int b, int t, int count) {
  for (int n = static_cast<int>(threadIdx.x); n < kChunkRows; n += kThreads) {
    const unsigned short x = n < count ? row_of(log, b, t + n)->bits : 0;
    asm volatile("st.shared.b16 [%0], %1;" ::"r"(to + 2 * n), "h"(x) : "memory");
  }
}

template <int K>
struct WalkTile : ChunkMemory<K, kWalkChannels, Lane> {
  using Tile = ChunkMemory<K, kWalkChannels, Lane>;
  using Tile::kAcross;
  using Tile::kDeep;
  using Tile::kDown;
  using Tile::kWide;
  using Tile::lane;
  using Tile::memory_column;
  using Tile::warp;
  using typename Tile::Memory;
  static constexpr int D = kWalkChannels;
  static_assert(walk_threads(WalkPart::kForward) == Tile::kThreads);

  __device__ explicit WalkTile(const ChunkCuda& given)
      : Tile(given, Lane{static_cast<int>(threadIdx.x) % 32}) {}

  __device__ void stash(Memory& m, const Rows<D>& to) const {
#pragma unroll
    for (int r = 0; r < kDeep; ++r)
      each_two<D>(m[r], lane, warp % kDown + kDown * r, memory_column(0),
                  [&](const Place& place, float2& x) { put_two(to, place, x); });
  }
  // Stores this warp's part of a stashed memory as copy `copy` of [copies, K, D], of whole tiles.
  __device__ void store_stashed(const Rows<D>& from, Bfloat16* to, int copy) const {
    constexpr int kWidth = 16 * kWide;
    Bfloat16* const at = to + static_cast<long long>(copy) * (K * this->c.D) + this->first_d;
    __syncwarp();
#pragma unroll
    for (int r = 0; r < kDeep; ++r) {
      const int band = warp % kDown + kDown * r;
      store_band<D, kWidth>(from, lane, band, at + static_cast<long long>(16 * band) * this->c.D,
                            this->c.D, 16, memory_column(0));
    }
  }
  // Multiplies by factors of rows and, where channels decay, of channels, [K + D] in shared memory.
  __device__ void scale(Memory& m, const float* by, bool of_channels) const {
    if (of_channels)
      Tile::scale(m, by);
    else
      this->each(m, [&](float2& x, int k, int) { x = {x.x * by[k], x.y * by[k]}; });
  }
  // m += the sum over the steps of `block` of 16 of a (x) x.
  __device__ void add_outer(Memory& m, const Rows<K>& a, const Rows<D>& x, int block,
                            const Right<Bfloat16> (&right)[D / 16]) const {
#pragma unroll
    for (int r = 0; r < kDeep; ++r) {
      Left<Bfloat16> left;
      load_left<true>(left, lane, a, 16 * (warp % kDown + kDown * r), 16 * block);
#pragma unroll
      for (int p = 0; p < kWide; ++p) {
        if (kAcross == 1) {
          multiply(m[r][p], left, right[p]);
        } else {
          Right<Bfloat16> own;
          load_right<true>(own, lane, x, memory_column(p), 16 * block);
          multiply(m[r][p], left, own);
        }
      }
    }
  }
};

}  // namespace lcsm
