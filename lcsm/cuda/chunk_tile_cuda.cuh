// What the kernels of the chunked recurrence share: a block's memory, staged rows, decays as scales
// of rows.
#pragma once

#include "lcsm/cuda/chunk_columns_cuda.cuh"

namespace lcsm {

template <class T>
__device__ void multiply(T* x, float by) {
  put(x, number_of(*x) * by);
}

// Where a chunk's scales are 1, and how many steps it has.
struct ChunkSpan {
  int anchor, steps;
};

template <class T, int K, int D, ChunkPass pass>
struct ChunkTile {
  static constexpr bool kBackward = pass == ChunkPass::kBackward;
  // A group has its own channels of what has channels, its own rows of the memory of what has
  // these. Of a chunk a warp of it has 16 steps.
  static constexpr int kGroups = chunk_groups(D), kWarps = kChunkWarps * kGroups;
  static constexpr int kThreads = 32 * kWarps, kOwnK = K / kGroups, kOwnD = D / kGroups;
  // Whether decays over d begin in the place of the gradient of the memory, and sums take that of
  // the memory, when these are not needed.
  static constexpr bool kShares = kBackward && kGroups > 1;
  // Of the memory a warp has kDeep tiles of 16 rows by kWide of 16 columns.
  static constexpr int kDown = K / 16 < kChunkWarps ? K / 16 : kChunkWarps;
  static constexpr int kAcross = kWarps / kDown;
  static constexpr int kDeep = K / 16 / kDown, kWide = D / 16 / kAcross;
  using Memory = Sum[kDeep][kWide];

  const ChunkCuda& c;
  const int thread, warp;
  const int band, own_k, own_d;    // 16 steps of this warp; the first row and channel of its group
  const int tile, first_d, width;  // channels of this tile
  const int b, segment, begin, end;  // the sequence, and the steps of it
  Matrix<T, K> s, e, log_k;
  Matrix<T, D> i, d_y, memory, d_memory, log_d;
  float *in, *out;  // [K + D]: what the memory decays by until the anchor, and from there on
  float *sums, *anchors;

  __device__ explicit ChunkTile(const ChunkCuda& given, int skipped = 0)
      : c(given),
        thread(threadIdx.x),
        warp(thread / 32),
        band(kGroups == 1 ? warp : warp % kChunkWarps),
        own_k(kGroups == 1 ? 0 : warp / kChunkWarps * kOwnK),
        own_d(kGroups == 1 ? 0 : warp / kChunkWarps * kOwnD),
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
    if (decays_d()) log_d = kShares ? d_memory : take<T, kChunkRows, D>(free);
    in = reinterpret_cast<float*>(free);
    out = in + K + D;
    anchors = out + K + D;
    sums = kShares ? reinterpret_cast<float*>(memory.data) : anchors + kWarps * (K + D);
    for (int n = thread; n < 2 * (K + D); n += kThreads) in[n] = 1;
  }
  __device__ static int tiles(const ChunkCuda& c) { return (c.D + D - 1) / D; }
  __device__ bool decays_k() const { return c.log_k.data != nullptr; }
  __device__ bool decays_d() const { return c.log_d.data != nullptr; }
  __device__ long long step(int t) const { return static_cast<long long>(b) * c.T + t; }

  // Rows and columns of this lane's sums.
  __device__ int memory_row(int deep) const {
    return 16 * (warp % kDown + kDown * deep) + lane_of() / 4;
  }
  __device__ int memory_column(int wide) const { return 16 * (warp / kDown * kWide + wide); }
  __device__ int score_row() const { return 16 * band + lane_of() / 4; }

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
  __device__ void stage_all(int t, int count) const {
    if (pass != ChunkPass::kEnds) stage(s, c.s, 0, c.K, t, count);
    stage(e, c.e, 0, c.K, t, count);
    stage(i, c.i, first_d, width, t, count);
    if (kBackward) stage(d_y, c.d_y, first_d, width, t, count);
    if (decays_k()) {
      if (c.one_log_k) {  // for all rows
        const T* const from = static_cast<const T*>(c.log_k.data) + b * c.log_k.b + t * c.log_k.t;
        for (int n = thread; n < kChunkRows * K; n += kThreads) {
          const int row = n / K;
          *log_k.at(row, n % K) = row < count ? from[row * c.log_k.t] : T{};
        }
      } else {
        stage(log_k, c.log_k, 0, c.K, t, count);
      }
    }
    if (decays_d()) stage(log_d, c.log_d, first_d, width, t, count);
    asm volatile("cp.async.wait_all;" ::: "memory");
  }

  // The columns of a thread: one of k from the first thread on, one of d from the last.
  __device__ bool has_k() const { return decays_k() && thread < K; }
  __device__ int column_d() const { return kThreads - 1 - thread; }
  __device__ bool has_d() const { return decays_d() && column_d() < D; }
  __device__ float log_k_of(int t) const { return number_of(*log_k.at(t, thread)); }
  __device__ float log_d_of(int t) const { return number_of(*log_d.at(t, column_d())); }

  // Whether decays stay in range over steps (from, to]; for all threads.
  __device__ bool in_range(int from, int to) const {
    float k = 0, d = 0;
    if (has_k())
      for (int t = from + 1; t <= to; ++t) k += log_k_of(t);
    if (has_d())
      for (int t = from + 1; t <= to; ++t) d += log_d_of(t);
    const float most = decays_k() && decays_d() ? kChunkRange / 2 : kChunkRange;
    return k >= -most && d >= -most;
  }
  // The chunk that begins at row `from` of `count` staged ones. Called by all threads.
  __device__ ChunkSpan span(int from, int count) const {
    const int middle = from + (count - from) / 2;
    if (!decays_k() && !decays_d()) return {middle, count - from};
    if (__syncthreads_and(in_range(from, middle) && in_range(middle, count - 1)))
      return {middle, count - from};
    int anchor = from, end = from + 1;
    while (anchor < middle && __syncthreads_and(in_range(from, anchor + 1))) ++anchor;
    end = anchor + 1;
    while (end < count && __syncthreads_and(in_range(anchor, end))) ++end;
    return {anchor, end - from};
  }

  // Calls scale(row, w, 1 / w) for the rows of [first, last), w = the decay from the anchor to the
  // row, and leaves w in the place of the logarithms.
  template <int W, class Scale>
  __device__ void decay_column(const Matrix<T, W>& log, int column, int anchor, int first, int last,
                               float* before, float* after, const Scale& scale) const {
    const auto take_log = [&](int t) { return number_of(*log.at(t, column)); };
    const auto apply = [&](int t, float sum) {
      const float w = expf(sum);
      put(log.at(t, column), w);
      scale(t, w, expf(-sum));
    };
    float down = take_log(anchor), sum = 0;
    for (int t = anchor;; sum += take_log(t)) {
      apply(t, sum);
      if (++t == last) break;
    }
    *after = expf(sum);
    for (int t = anchor - 1; t >= first; --t) {
      const float log_t = take_log(t);
      apply(t, -down);
      down += log_t;
    }
    *before = expf(down);
  }
  // Scales the rows of a chunk, and zeroes those after it.
  __device__ void decay(int anchor, int steps, int count) const {
    if (has_k()) {
      const int n = thread;
      decay_column(log_k, n, anchor, 0, steps, in + n, out + n, [&](int t, float w, float inverse) {
        multiply(s.at(t, n), w);
        multiply(e.at(t, n), inverse);
      });
      for (int t = steps; t < count; ++t) *s.at(t, n) = *e.at(t, n) = T{};
    }
    if (has_d()) {
      const int n = column_d();
      decay_column(log_d, n, anchor, 0, steps, in + K + n, out + K + n,
                   [&](int t, float w, float inverse) {
                     multiply(i.at(t, n), inverse);
                     if (kBackward) multiply(d_y.at(t, n), w);
                   });
      for (int t = steps; t < count; ++t) {
        *i.at(t, n) = T{};
        if (kBackward) *d_y.at(t, n) = T{};
      }
    }
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
#pragma unroll
    for (int r = 0; r < kDeep; ++r)
      add_product<true, true, kChunkRows>(m[r], a, 16 * (warp % kDown + kDown * r), x,
                                          memory_column(0));
  }
};

}  // namespace lcsm
