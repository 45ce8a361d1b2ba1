// A block's tile of the memory of one sequence, in registers: which rows and channels a lane has,
// and how they come from memory and go there.
#pragma once

#include "lcsm/cuda/chunk/chunk_columns_cuda.cuh"

namespace lcsm {

// Four warps have K rows of D channels. Lane: row() and column() of a lane's first number of a sum.
template <int K, int D, class Lane>
struct ChunkMemory {
  static constexpr int kThreads = kChunkThreads, kWarps = kChunkWarps;
  // A warp holds kDeep x kWide tiles of the memory, each of 16 rows and 16 columns.
  static constexpr int kDown = K / 16 < kWarps ? K / 16 : kWarps, kAcross = kWarps / kDown;
  static constexpr int kDeep = K / 16 / kDown, kWide = D / 16 / kAcross;
  using Memory = Sum[kDeep][kWide];

  const ChunkCuda& c;
  const int thread, warp;
  const Lane lane;
  const int tile, first_d, width;    // channels of this tile
  const int b, segment, begin, end;  // the sequence and its steps

  __device__ explicit ChunkMemory(const ChunkCuda& given, const Lane& lane, int skipped = 0)
      : c(given),
        thread(static_cast<int>(threadIdx.x)),
        warp(thread / 32),
        lane(lane),
        tile(static_cast<int>(blockIdx.x) % tiles(given)),
        first_d(tile * D),
        width(min(D, given.D - first_d)),
        b(static_cast<int>(blockIdx.x) / tiles(given)),
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
  // Multiplies by factors of rows and channels, [K + D] in shared memory.
  __device__ void scale(Memory& m, const float* by) const {
    each(m, [&](float2& x, int k, int d) {
      x.x *= by[k] * by[K + d];
      x.y *= by[k] * by[K + d + 1];
    });
  }
  // Loads the memory before this segment; null = 0.
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
  // Stores the memory as copy `copy` of [copies, K, D].
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
};

}  // namespace lcsm
