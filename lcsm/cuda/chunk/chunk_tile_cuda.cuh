// What the kernels of the chunked recurrence share: a block's tile of the memory, in registers and
// in shared memory, and its rows of a chunk.
#pragma once

#include "lcsm/cuda/chunk/chunk_memory_cuda.cuh"

namespace lcsm {

// Asks which lane this is where it is needed, not once: registers are short.
struct AskedLane {
  __device__ int row() const { return lane_of() / 4; }
  __device__ int column() const { return lane_of() % 4 * 2; }
};

template <class T, int K, int D, ChunkPass pass>
struct ChunkTile : ChunkMemory<K, D, AskedLane> {
  using Tile = ChunkMemory<K, D, AskedLane>;
  using Tile::b;
  using Tile::c;
  using Tile::each;
  using Tile::kDeep;
  using Tile::kDown;
  using Tile::kThreads;
  using Tile::kWarps;
  using Tile::kWide;
  using Tile::memory_column;
  using Tile::thread;
  using Tile::warp;
  using typename Tile::Memory;
  static constexpr bool kBackward = pass == ChunkPass::kBackward;

  Matrix<T, K> s, e, log_k;
  Matrix<T, D> i, d_y, memory, d_memory, log_d;
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on
  float *sums, *anchors;

  __device__ explicit ChunkTile(const ChunkCuda& given, int skipped = 0)
      : Tile(given, {}, skipped) {
    extern __shared__ __align__(16) char shared[];
    char* free = shared;
    e = take<T, kChunkRows, K>(free);
    i = take<T, kChunkRows, D>(free);
    if (pass != ChunkPass::kEnds) {
      s = take<T, kChunkRows, K>(free);
      memory = take<T, K, D>(free);
    }
    if (kBackward) {
      d_y = take<T, kChunkRows, D>(free);
      d_memory = take<T, K, D>(free);
    }
    if (decays_k()) log_k = take<T, kChunkRows, K>(free);
    if (decays_d()) log_d = take<T, kChunkRows, D>(free);
    in = reinterpret_cast<float*>(free);
    out = in + K + D;
    anchors = out + K + D;
    sums = anchors + kWarps * (K + D);
    for (int n = thread; n < 2 * (K + D); n += kThreads) in[n] = 1;
  }
  __device__ bool decays_k() const { return c.log_k.data != nullptr; }
  __device__ bool decays_d() const { return c.log_d.data != nullptr; }
  __device__ bool decays() const { return decays_k() || decays_d(); }

  // The first row of a chunk of this lane's sums.
  __device__ int score_row() const { return 16 * warp + lane_of() / 4; }

  // `count` rows of `most` columns, and zeros around them.
  template <int rows, int W>
  __device__ void stage(const Matrix<T, W>& to, const T* from, long long stride, int most,
                        int count) const {
    constexpr int kUnit = 16 / sizeof(T), kUnits = W / kUnit;
    const bool aligned = most % kUnit == 0 && stride % kUnit == 0 &&
                         reinterpret_cast<unsigned long long>(from) % 16 == 0;
    if (aligned) {
      for (int n = thread; n < rows * kUnits; n += kThreads) {
        const int row = n / kUnits, at = n % kUnits * kUnit;
        const bool valid = row < count && at < most;
        const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to.at(row, at)));
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(place),
                     "l"(valid ? from + row * stride + at : from), "r"(valid ? 16 : 0)
                     : "memory");
      }
    } else {
      for (int n = thread; n < rows * W; n += kThreads) {
        const int row = n / W, at = n % W;
        *to.at(row, at) = row < count && at < most ? from[row * stride + at] : T{};
      }
    }
  }
  // Steps from t on.
  template <int W>
  __device__ void stage(const Matrix<T, W>& to, const ChunkInputCuda& input, int column, int most,
                        int t, int count) const {
    stage<kChunkRows>(to, static_cast<const T*>(input.data) + b * input.b + t * input.t + column,
                      input.t, most, count);
  }

  // Calls work(two, row, column) for this lane's numbers of 16 rows of a chunk, two neighbours at a
  // time.
  template <int kPairs, class Work>
  __device__ void each_of_rows(Sum (&sums)[kPairs], const Work& work) const {
#pragma unroll
    for (int p = 0; p < kPairs; ++p)
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        float* const x = &sums[p][n / 2][n % 2 * 2];
        float2 two = {x[0], x[1]};
        work(two, score_row() + n % 2 * 8, 16 * p + n / 2 * 8 + lane_of() % 4 * 2);
        x[0] = two.x, x[1] = two.y;
      }
  }
  __device__ void stash(Memory& m, const Matrix<T, D>& to) const {
    each(m, [&](float2& x, int k, int d) { put_two(to.at(k, d), x); });
  }
  __device__ void recall(Memory& m, const Matrix<T, D>& from) const {
    each(m, [&](float2& x, int k, int d) { x = two_of(from.at(k, d)); });
  }
  // m += the sum over the staged steps of a (x) x.
  __device__ void add_outer(Memory& m, const Matrix<T, K>& a, const Matrix<T, D>& x) const {
#pragma unroll 1
    for (int t = 0; t < kChunkRows; t += 16) {
      Left<T> left[kDeep];
#pragma unroll
      for (int r = 0; r < kDeep; ++r)
        left[r] = left_of<true>(a, 16 * (warp % kDown + kDown * r), t);
#pragma unroll
      for (int p = 0; p < kWide; ++p) {
        const auto right = right_of<true>(x, memory_column(p), t);
#pragma unroll
        for (int r = 0; r < kDeep; ++r) multiply(m[r][p], left[r], right);
      }
    }
  }
};

}  // namespace lcsm
