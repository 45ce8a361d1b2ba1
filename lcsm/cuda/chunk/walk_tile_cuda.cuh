// A block's tile of the memory in registers, and what the passes of a walk share.
#pragma once

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

// Brings decays of one number a step into shared memory.
template <int kThreads>
__device__ void fetch_one(unsigned to, const ChunkInputCuda& log, int b, int t, int count) {
  for (int n = static_cast<int>(threadIdx.x); n < kChunkRows; n += kThreads) {
    const unsigned short x = n < count ? row_of(log, b, t + n)->bits : 0;
    asm volatile("st.shared.b16 [%0], %1;" ::"r"(to + 2 * n), "h"(x) : "memory");
  }
}

template <int K>
struct WalkTile {
  static constexpr int D = kWalkChannels, kThreads = walk_threads(WalkPart::kForward);
  static constexpr int kWarps = kThreads / 32;
  // Of the memory a warp has kDeep tiles of 16 rows by kWide of 16 columns.
  static constexpr int kDown = K / 16 < kWarps ? K / 16 : kWarps, kAcross = kWarps / kDown;
  static constexpr int kDeep = K / 16 / kDown, kWide = D / 16 / kAcross;
  using Memory = Sum[kDeep][kWide];

  const ChunkCuda& c;
  const int warp;
  const Lane lane;
  const int tile, b, first_d, width;  // channels of this tile of a sequence
  const int segment, begin, end;      // and steps
  __device__ explicit WalkTile(const ChunkCuda& given, int skipped = 0)
      : c(given),
        warp(static_cast<int>(threadIdx.x) / 32),
        lane{static_cast<int>(threadIdx.x) % 32},
        tile(static_cast<int>(blockIdx.x) % tiles(given)),
        b(static_cast<int>(blockIdx.x) / tiles(given)),
        first_d(tile * D),
        width(min(D, given.D - first_d)),
        segment(static_cast<int>(blockIdx.y) + skipped),
        begin(segment * given.segment),
        end(min(given.T, begin + given.segment)) {}
  __device__ static int tiles(const ChunkCuda& c) { return (c.D + D - 1) / D; }
  __device__ long long step(int t) const { return static_cast<long long>(b) * c.T + t; }

  __device__ int memory_row(int deep) const {
    return 16 * (warp % kDown + kDown * deep) + lane.row();
  }
  __device__ int memory_column(int wide) const { return 16 * (warp / kDown * kWide + wide); }
  // Calls work(two, row, column) for this lane's numbers of the memory, two neighbours at a time.
  template <class Work>
  __device__ void each(Memory& m, const Work& work) const {
#pragma unroll
    for (int r = 0; r < kDeep; ++r)
#pragma unroll
      for (int p = 0; p < kWide; ++p)
#pragma unroll
        for (int n = 0; n < 4; ++n) {
          float* const x = &m[r][p][n / 2][n % 2 * 2];
          float2 two = {x[0], x[1]};
          work(two, memory_row(r) + n % 2 * 8, memory_column(p) + n / 2 * 8 + lane.column());
          x[0] = two.x, x[1] = two.y;
        }
  }
  // That of this segment; null = 0.
  __device__ void load(const float* from, Memory& m) const {
    const long long copy = static_cast<long long>(b) * gridDim.y + segment;
    each(m, [&](float2& x, int k, int d) {
      const bool valid = from && k < c.K;
      const float* const at = from + (copy * c.K + k) * c.D + first_d + d;
      if (c.D % 2 == 0) {
        x = valid && d < width ? __ldg(reinterpret_cast<const float2*>(at)) : float2{0, 0};
      } else {
        x.x = valid && d < width ? at[0] : 0.0f;
        x.y = valid && d + 1 < width ? at[1] : 0.0f;
      }
    });
  }
  // Into copy `copy` of [copies, K, D].
  template <class To>
  __device__ void store(const Memory& m, To* to, long long copy) const {
    if (to == nullptr) return;
#pragma unroll
    for (int r = 0; r < kDeep; ++r)
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        const int k = memory_row(r) + 8 * below;
        To* const row = k < c.K ? to + (copy * c.K + k) * c.D + first_d : nullptr;
#pragma unroll
        for (int p = 0; p < kWide; ++p)
          put_columns(row, memory_column(p), width, c.D, m[r][p], below);
      }
  }
  __device__ void stash(Memory& m, const Rows<D>& to) const {
#pragma unroll
    for (int r = 0; r < kDeep; ++r)
      each_two<D>(m[r], lane, warp % kDown + kDown * r, memory_column(0),
                  [&](const Place& place, float2& x) { put_two(to, place, x); });
  }
  // By factors of rows and, where channels decay, of these, [K + D] in shared memory.
  __device__ void scale(Memory& m, const float* by, bool of_channels) const {
    if (!of_channels)
      return each(m, [&](float2& x, int k, int) { x = {x.x * by[k], x.y * by[k]}; });
    each(m, [&](float2& x, int k, int d) {
      x.x *= by[k] * by[K + d];
      x.y *= by[k] * by[K + d + 1];
    });
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
