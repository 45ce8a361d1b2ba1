// What the kernels of the scan share: a block's tile, inputs staged in shared memory, sums.
#pragma once

#include "lcsm/cuda/common/math_cuda.cuh"
#include "lcsm/cuda/common/modes_value_cuda.cuh"
#include "lcsm/cuda/common/pairs_cuda.cuh"
#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

// Some steps of an input: of rows (kSteps) or of channels (kCells).
using Staged = float[kScanSteps][kScanTile];
constexpr int kScanFetched = kScanSteps / kScanWarps;  // steps that a thread fetches

// The factors that a gate gives a cell: m_t = o m_{t-1} + e w i, y = s Re(r m_t). Not every gate
// has w and r.
template <int kParts>
struct ScanFactors {
  ModeValue<float, kParts> o, w, r;
};

// 16 bytes of a thread's numbers.
__device__ inline void put_sixteen(float* to, const float* x) {
  *reinterpret_cast<float4*>(to) = {x[0], x[1], x[2], x[3]};
}
__device__ inline void put_sixteen(Bfloat16* to, const float* x) {
  uint4 pairs;
  auto* const two = reinterpret_cast<Bfloat16*>(&pairs);
#pragma unroll
  for (int n = 0; n < 4; ++n) put_pair(two + 2 * n, {x[2 * n], x[2 * n + 1]});
  *reinterpret_cast<uint4*>(to) = pairs;
}
__device__ inline void load_sixteen(const float* from, float* x) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}
__device__ inline void load_sixteen(const Bfloat16* from, float* x) {
  const uint4 pairs = *reinterpret_cast<const uint4*>(from);
  const unsigned two[] = {pairs.x, pairs.y, pairs.z, pairs.w};
#pragma unroll
  for (int n = 0; n < 4; ++n) x[2 * n] = two_of(two[n]).x, x[2 * n + 1] = two_of(two[n]).y;
}

// The padding of the last rows and channels.
enum class Padding {
  kZero,  // for inputs that are summed
  kLast,  // the last number again, for inputs of a gate, which may be undefined at 0
};

// kParts: parts of a cell of the memory, 1 or 2. Cell j of a thread is in row j / kScanColumns.
// Functions are inlined by force: with a large gate, nvcc would call them, and a call keeps the
// tile in local memory.
template <class T, int kParts>
struct ScanTile {
  using Cell = ModeValue<float, kParts>;
  static constexpr int kNumbers = kParts * kScanCells;
  static constexpr int kSixteen = 16 / sizeof(T);  // numbers of 16 bytes

  const ScanCuda& s;
  const int lane, warp, b, segment;
  const int first_k, first_d;            // of the tile
  const int row, column;                 // the first of this thread, in the tile
  const int first, last;                 // steps
  const int kept_group;                  // numbers of ScanCuda::kept: 16 bytes of each thread
  T* const kept_at;                      // this thread's first ones there
  const long long channels_at, rows_at;  // of outputs: where this thread's first step is

  __device__ explicit ScanTile(const ScanCuda& scan)
      : s(scan),
        lane(threadIdx.x),
        warp(threadIdx.y),
        b(blockIdx.z),
        segment(blockIdx.y),
        first_k(static_cast<int>(blockIdx.x) / channel_tiles(scan) * kScanTile),
        first_d(static_cast<int>(blockIdx.x) % channel_tiles(scan) * kScanTile),
        row(lane / kScanChannelLanes * kScanRows),
        column((warp * kScanChannelLanes + lane % kScanChannelLanes) * kScanColumns),
        first(segment * scan.segment),
        last(min(scan.T, first + scan.segment)),
        kept_group(columns_of(scan.D) * ((scan.K + kScanRows - 1) / kScanRows) * kSixteen),
        kept_at(static_cast<T*>(scan.kept) +
                static_cast<long long>(b) * ((scan.T + kScanSteps - 1) / kScanSteps) *
                    (kept_group * (kNumbers / kSixteen)) +
                (k(0) / kScanRows * columns_of(scan.D) + d(0) / kScanColumns) * kSixteen),
        channels_at(output_at(first_k, first_d, scan.D)),
        rows_at(output_at(first_d, first_k, scan.K)) {}

  __device__ static int channel_tiles(const ScanCuda& s) {
    return (s.D + kScanTile - 1) / kScanTile;
  }
  __device__ static int columns_of(int D) { return (D + kScanColumns - 1) / kScanColumns; }
  // In [copies, B, T, width], a copy for each tile of what is summed.
  __device__ long long output_at(int summed, int own, int width) const {
    return ((static_cast<long long>(summed / kScanTile) * s.B + b) * s.T + warp) * width + own +
           lane;
  }
  __device__ static constexpr int row_of(int j) { return j / kScanColumns; }
  __device__ static constexpr int column_of(int j) { return j % kScanColumns; }
  // The steps of the chunk from t on, 0 outside of the segment.
  __device__ int count(int t) const { return t < first ? 0 : min(max(last - t, 0), kScanSteps); }
  __device__ int k(int j) const { return first_k + row + row_of(j); }
  __device__ int d(int j) const { return first_d + column + column_of(j); }
  __device__ bool inside(int j) const { return k(j) < s.K && d(j) < s.D; }
  __device__ long long cell(int j) const { return static_cast<long long>(k(j)) * s.D + d(j); }
  __device__ long long matrix() const { return static_cast<long long>(s.K) * s.D; }
  __device__ long long memory() const { return kParts * matrix(); }

  // True if two neighbouring channels are accessed at once: of rows of an even number of channels,
  // `stride` apart.
  __device__ bool pairs(const float* rows, long long stride) const {
    return s.D % 2 == 0 && stride % 2 == 0 && reinterpret_cast<unsigned long long>(rows) % 8 == 0;
  }
  // This thread's cells of a [K, D], 0 outside.
  __device__ __forceinline__ void load(const float* from, float (&x)[kScanCells]) const {
    const bool paired = pairs(from, s.D);
#pragma unroll
    for (int j = 0; j < kScanCells; j += kScanColumns) {
      float2 two = {0, 0};
      if (paired && inside(j)) {
        two = *reinterpret_cast<const float2*>(from + cell(j));
      } else {
        if (inside(j)) two.x = from[cell(j)];
        if (inside(j + 1)) two.y = from[cell(j + 1)];
      }
      x[j] = two.x, x[j + 1] = two.y;
    }
  }
  __device__ __forceinline__ void store(float* to, const float (&x)[kScanCells]) const {
    const bool paired = pairs(to, s.D);
#pragma unroll
    for (int j = 0; j < kScanCells; j += kScanColumns) {
      if (paired && inside(j)) {
        put_pair(to + cell(j), {x[j], x[j + 1]});
      } else {
        if (inside(j)) to[cell(j)] = x[j];
        if (inside(j + 1)) to[cell(j + 1)] = x[j + 1];
      }
    }
  }
  // This thread's cells of a memory; 0 where `from` is null.
  __device__ __forceinline__ void load(const float* from, Cell (&m)[kScanCells]) const {
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      float x[kScanCells] = {};
      if (from) load(from + p * matrix(), x);
#pragma unroll
      for (int j = 0; j < kScanCells; ++j) m[j].x[p] = x[j];
    }
  }
  __device__ __forceinline__ void store(float* to, const Cell (&m)[kScanCells]) const {
#pragma unroll
    for (int p = 0; p < kParts; ++p) {
      float x[kScanCells];
#pragma unroll
      for (int j = 0; j < kScanCells; ++j) x[j] = m[j].x[p];
      store(to + p * matrix(), x);
    }
  }

  // This thread's numbers of the memory before the chunk from t on, in ScanCuda::kept: 16 bytes
  // from the n-th on.
  __device__ T* kept(int t, int n) const {
    const int chunk = static_cast<unsigned>(t) / kScanSteps;
    return kept_at + static_cast<long long>(chunk) * (kept_group * (kNumbers / kSixteen)) +
           n / kSixteen * kept_group;
  }
  __device__ void keep(int t, const Cell (&m)[kScanCells]) const {
    if (!inside(0)) return;
    float x[kNumbers];
#pragma unroll
    for (int n = 0; n < kNumbers; ++n) x[n] = m[n % kScanCells].x[n / kScanCells];
#pragma unroll
    for (int n = 0; n < kNumbers; n += kSixteen) put_sixteen(kept(t, n), x + n);
  }
  __device__ void load_kept(int t, Cell (&m)[kScanCells]) const {
    float x[kNumbers] = {};
#pragma unroll
    for (int n = 0; n < kNumbers; n += kSixteen)
      if (inside(0)) load_sixteen(kept(t, n), x + n);
#pragma unroll
    for (int n = 0; n < kNumbers; ++n) m[n % kScanCells].x[n / kScanCells] = x[n];
  }

  // A static input at this thread's cells.
  __device__ __forceinline__ void load(const ScanInputCuda& in, Spread spread, Padding padding,
                                       float (&x)[kScanCells]) const {
    const auto* const from = static_cast<const float*>(in.data);
    const bool paired = pairs(from, in.k);
    const int last = s.D - 1;
#pragma unroll
    for (int j = 0; j < kScanCells; j += kScanColumns) {
      const float* const row = from + min(k(j), s.K - 1) * in.k;
      float2 two;
      if (spread != Spread::kChannels)
        two.x = two.y = row[0];
      else if (paired && d(j) < last)
        two = *reinterpret_cast<const float2*>(row + d(j));
      else
        two = {row[min(d(j), last)], row[min(d(j + 1), last)]};
      x[j] = padding == Padding::kLast || inside(j) ? two.x : 0.0f;
      x[j + 1] = padding == Padding::kLast || inside(j + 1) ? two.y : 0.0f;
    }
  }

  // True if this thread has only padding of an input over data.
  __device__ bool pads(Spread spread) const {
    return spread == Spread::kCells ? first_d + lane >= s.D : first_k + lane >= s.K;
  }
  // Where this thread's numbers of an input over data begin, of the chunk from t on.
  template <class Number>
  __device__ __forceinline__ void find(const ScanInputCuda& in, Spread spread, int t,
                                       const Number*& from) const {
    const long long column = spread == Spread::kCells ? min(first_d + lane, s.D - 1)
                                                      : min(first_k + lane, s.K - 1) * in.k;
    from = static_cast<const Number*>(in.data) + b * in.b + column + (t + warp) * in.t;
  }
  // Reads the numbers that this thread brings, of which `there` steps are left.
  template <class Number>
  __device__ __forceinline__ void fetch(const Number* from, long long stride, int there,
                                        Number (&x)[kScanFetched]) const {
#pragma unroll
    for (int n = 0; n < kScanFetched; ++n)
      x[n] = n * kScanWarps < there ? from[n * kScanWarps * stride] : Number{};
  }
  template <class Number>
  __device__ void put_staged(const Number (&x)[kScanFetched], Staged& to) const {
#pragma unroll
    for (int n = 0; n < kScanFetched; ++n) to[warp + n * kScanWarps][lane] = number_of(x[n]);
  }

  // The rows, or the channels, of this thread at a step.
  __device__ void rows(const Staged& from, int step, float* x) const {
    const float4 v = *reinterpret_cast<const float4*>(&from[step][row]);
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
  }
  __device__ void columns(const Staged& from, int step, float* x) const {
    const float2 v = *reinterpret_cast<const float2*>(&from[step][column]);
    x[0] = v.x, x[1] = v.y;
  }

  // sum(step) for each of the `count` steps from t on, into rows of `width` numbers.
  template <class Number, class Sum>
  __device__ __forceinline__ void put_steps(const ScanOutputCuda& out, long long first_at, int t,
                                            int count, int width, const Sum& sum) const {
    const int there = count - warp;
    const long long at = first_at + static_cast<long long>(t) * width;
    const auto into = [&](auto* to) {
#pragma unroll
      for (int n = 0; n < kScanSteps; n += kScanWarps)
        if (n < there) put(to + n * width, sum(warp + n));
    };
    if (out.final)
      into(static_cast<Number*>(out.data) + at);
    else
      into(static_cast<float*>(out.data) + at);
  }
  // Sums over the tile's rows, one for each channel.
  template <class Number>
  __device__ __forceinline__ void put_channels(const Staged& sums, int t, int count,
                                               const ScanOutputCuda& out) const {
    if (!pads(Spread::kCells))
      put_steps<Number>(out, channels_at, t, count, s.D,
                        [&](int step) { return sums[step][lane]; });
  }
  // Sums over its channels, one for each row. sums(step, warp) are the sums of a warp.
  template <class Number, class Sums>
  __device__ __forceinline__ void put_rows(const Sums& sums, int t, int count,
                                           const ScanOutputCuda& out) const {
    if (!pads(Spread::kSteps))
      put_steps<Number>(out, rows_at, t, count, s.K, [&](int step) {
        float sum = sums(step, 0)[lane];
#pragma unroll
        for (int w = 1; w < kScanWarps; ++w) sum += sums(step, w)[lane];
        return sum;
      });
  }
};

// The sums of each warp over its channels, one for each row.
using OfWarps = float[kScanWarps][kScanTile];

// Adds 2 n numbers of two lanes that differ in `bit`. Each lane keeps n of the sums: the lower half
// where its bit is 0, the upper half where it is 1.
template <int kHalf>
__device__ void exchange(float* x, int lane, int bit) {
  const bool upper = (lane & bit) != 0;
#pragma unroll
  for (int j = 0; j < kHalf; ++j) {
    const float given = upper ? x[j] : x[j + kHalf], own = upper ? x[j + kHalf] : x[j];
    x[j] = own + __shfl_xor_sync(~0u, given, bit);
  }
}
static_assert(kScanRows == 4 && kScanColumns == 2 && kScanChannelLanes == 4);
// Stores a warp's sums over its channels, one for each row.
__device__ inline void put_sums_of_rows(float* x, int lane, float* to) {
  exchange<2>(x, lane, 2);
  exchange<1>(x, lane, 1);
  to[lane] = x[0];
}
// Stores a step's sums over the rows, one for each of the warp's channels.
__device__ inline void put_sums_of_columns(float* x, int lane, int warp, float* to) {
  exchange<1>(x, lane, 16);
  x[0] += __shfl_xor_sync(~0u, x[0], 8);
  x[0] += __shfl_xor_sync(~0u, x[0], 4);
  if ((lane & 12) == 0)
    to[(warp * kScanChannelLanes + lane % kScanChannelLanes) * kScanColumns + lane / 16] = x[0];
}

}  // namespace lcsm
