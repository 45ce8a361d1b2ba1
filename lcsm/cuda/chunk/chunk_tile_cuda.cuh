// What the kernels of the chunked recurrence share: a block's tile of the memory, in registers and
// in shared memory, and its rows of a chunk.
#pragma once

#include "lcsm/cuda/chunk/chunk_columns_cuda.cuh"

namespace lcsm {

template <class T, int K, int D, ChunkPass pass>
struct ChunkTile {
  static constexpr bool kBackward = pass == ChunkPass::kBackward;
  static constexpr int kThreads = kChunkThreads, kWarps = kChunkWarps;
  // Of the memory a warp has kDeep tiles of 16 rows by kWide of 16 columns.
  static constexpr int kDown = K / 16 < kChunkWarps ? K / 16 : kChunkWarps;
  static constexpr int kAcross = kWarps / kDown;
  static constexpr int kDeep = K / 16 / kDown, kWide = D / 16 / kAcross;
  using Memory = Sum[kDeep][kWide];

  const ChunkCuda& c;
  const int thread, warp;
  const int tile, first_d, width;    // channels of this tile
  const int b, segment, begin, end;  // the sequence, and the steps of it
  Matrix<T, K> s, e, log_k;
  Matrix<T, D> i, d_y, memory, d_memory, log_d;
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on
  float *sums, *anchors;

  __device__ explicit ChunkTile(const ChunkCuda& given, int skipped = 0)
      : c(given),
        thread(threadIdx.x),
        warp(thread / 32),
        tile(static_cast<int>(blockIdx.x) % tiles(given)),
        first_d(tile * D),
        width(min(D, given.D - first_d)),
        b(static_cast<int>(blockIdx.x) / tiles(given)),
        segment(static_cast<int>(blockIdx.y) + skipped),
        begin(segment * given.segment),
        end(min(given.T, begin + given.segment)) {
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
  __device__ static int tiles(const ChunkCuda& c) { return (c.D + D - 1) / D; }
  __device__ bool decays_k() const { return c.log_k.data != nullptr; }
  __device__ bool decays_d() const { return c.log_d.data != nullptr; }
  __device__ bool decays() const { return decays_k() || decays_d(); }
  __device__ long long step(int t) const { return static_cast<long long>(b) * c.T + t; }

  // Rows and columns of this lane's sums.
  __device__ int memory_row(int deep) const {
    return 16 * (warp % kDown + kDown * deep) + lane_of() / 4;
  }
  __device__ int memory_column(int wide) const { return 16 * (warp / kDown * kWide + wide); }
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
          work(two, memory_row(r) + n % 2 * 8, memory_column(p) + n / 2 * 8 + lane_of() % 4 * 2);
          x[0] = two.x, x[1] = two.y;
        }
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
  __device__ void scale(Memory& m, const float* by) const {
    each(m, [&](float2& x, int k, int d) {
      x.x *= by[k] * by[K + d];
      x.y *= by[k] * by[K + d + 1];
    });
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
  __device__ void stash(Memory& m, const Matrix<T, D>& to) const {
    each(m, [&](float2& x, int k, int d) { put_two(to.at(k, d), x); });
  }
  __device__ void recall(Memory& m, const Matrix<T, D>& from) const {
    each(m, [&](float2& x, int k, int d) { x = two_of(from.at(k, d)); });
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
