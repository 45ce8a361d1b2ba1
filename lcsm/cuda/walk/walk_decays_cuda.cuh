// Decays within a chunk: logarithms of scales, as products of a triangle of ones with those of the
// decays, and rows scaled by them.
//
// A scale is the decay between a step and an anchor. Usually the anchor is the middle of the chunk,
// and one pass counts all pairs of steps. Where scales would leave exp(-60) .. exp(60), the first
// pass is of memories only, with anchors at the ends of the chunk, so that all scales are at most
// 1. Further ones are of the pairs of steps in the two halves of 64, 32, ... steps, anchored between
// the halves, and the last one is of blocks that are short enough for an anchor in their middle.
#pragma once

#include "lcsm/cuda/walk/walk_rows_cuda.cuh"

namespace lcsm {

enum class Anchor {
  kBefore,  // the chunk: scales are decays since it began
  kEnd,     // of the chunk: decays until it ends
  kMiddle,  // of blocks of `size` steps
};

// One pass over a chunk. In order: kAll, and where scales leave the range kEnds, kHalves of 64 steps,
// kBlocks of 32, kHalves of 32, kBlocks of 16 and so on, until blocks are in range.
struct WalkPass {
  enum class Kind { kAll, kEnds, kHalves, kBlocks };
  Kind kind = Kind::kAll;
  int size = kChunkRows;
  // Whether what enters and leaves the chunk is of this pass.
  __device__ bool memories() const { return kind == Kind::kAll || kind == Kind::kEnds; }
  __device__ bool ends() const { return kind == Kind::kEnds; }
  __device__ bool safe() const { return kind == Kind::kEnds || kind == Kind::kHalves; }
  __device__ bool scores() const { return kind != Kind::kEnds; }
  __device__ Pairs pairs() const { return {kind == Kind::kHalves ? size / 2 : 0, size}; }
  // The one after it; `fits`: its scales were in range. False: there is none.
  __device__ bool next(bool fits) {
    if (kind == Kind::kEnds)
      kind = Kind::kHalves;
    else if (kind == Kind::kHalves)
      kind = Kind::kBlocks, size /= 2;
    else if (fits)
      return false;
    else
      kind = kind == Kind::kAll ? Kind::kEnds : Kind::kHalves;
    return true;
  }
  __device__ bool is_last(bool fits) const { return fits && !safe(); }
};

// Signs of the logarithms of steps u, from 16 * block on, in the sums of steps t, from 16 * band on.
template <Anchor anchor>
struct Signs {
  int size;
  __device__ int anchor_of(int t) const {
    if (anchor == Anchor::kBefore) return -1;
    if (anchor == Anchor::kEnd) return kChunkRows - 1;
    return size == 1 ? t : (t & -size) + size / 2 - 1;
  }
  __device__ unsigned of(int t, int u) const {
    const int a = anchor_of(t);
    const unsigned after = (a < u) & (u <= t), before = (t < u) & (u <= a);
    return after * 0x3f80u | before * 0xbf80u;
  }
  __device__ unsigned two(int t, int u) const { return of(t, u) | of(t, u + 1) << 16; }
  __device__ int first(int band) const {
    return min(band, (anchor_of(16 * band) + 1) / 16);
  }
  __device__ int last(int band) const { return max(band, max(anchor_of(16 * band), 0) / 16); }
  __device__ Left<Bfloat16> left(const Lane& lane, int band, int block) const {
    if (block != band) {
      const unsigned one = block < band ? 0x3f803f80u : 0xbf80bf80u;
      return {{one, one, one, one}};
    }
    const int t = 16 * band + lane.row(), u = 16 * block + lane.column();
    return {{two(t, u), two(t + 8, u), two(t, u + 8), two(t + 8, u + 8)}};
  }
};

// -1e4 for what is less: exp of it is 0, and sums and differences are numbers.
__device__ inline void bound_logs(Right<Bfloat16>& logs) {
#pragma unroll
  for (int n = 0; n < 4; ++n)
    asm("max.NaN.bf16x2 %0, %0, %1;" : "+r"(logs.x[n]) : "r"(0xc61cc61cu));
}
__device__ inline float bounded_log(float x) { return x < -1e4f ? -1e4f : x; }

// Of the steps of a band and kPairs of 16 columns from `column` on: the logarithm of each scale.
template <Anchor anchor, int kPairs, int W>
__device__ void sums_of_logs(Sum (&sums)[kPairs], const Lane& lane, const Rows<W>& logs, int band,
                             int size, int column) {
  const Signs<anchor> signs{size};
#pragma unroll
  for (int x = 0; x < kPairs * 8; ++x) sums[x / 8][x / 4 % 2][x % 4] = 0;
#pragma unroll 1
  for (int block = signs.first(band); block <= signs.last(band); ++block) {
    const Left<Bfloat16> left = signs.left(lane, band, block);
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      Right<Bfloat16> right;
      load_right<true>(right, lane, logs, column + 16 * p, 16 * block);
      bound_logs(right);
      multiply(sums[p], left, right);
    }
  }
}
// The same for decays of one number a step, [64] in shared memory: of this lane's two rows.
template <Anchor anchor>
__device__ float2 sums_of_one(const Lane& lane, unsigned logs, int band, int size) {
  const Signs<anchor> signs{size};
  Sum sum = {};
#pragma unroll 1
  for (int block = signs.first(band); block <= signs.last(band); ++block) {
    const unsigned at = logs + (16 * block + lane.column()) * 2;
    Right<Bfloat16> right;
    right.x[0] = right.x[2] = get_word(at), right.x[1] = right.x[3] = get_word(at + 16);
    bound_logs(right);
    multiply(sum, signs.left(lane, band, block), right);
  }
  return {sum[0][0], sum[0][2]};
}

// Bounded, since what is not of a pass is computed too, and left out: it has to be finite.
__device__ inline float scale_of(float log) { return __expf(log > kChunkRange ? kChunkRange : log); }
__device__ inline bool in_range(float log, float most) { return fabsf(log) <= most; }

// Calls work(row, column, two) for this lane's numbers of sums of a band, two neighbours at a time.
template <int kPairs, class Work>
__device__ void each_two(Sum (&sums)[kPairs], const Lane& lane, int band, const Work& work) {
#pragma unroll
  for (int p = 0; p < kPairs; ++p)
#pragma unroll
    for (int n = 0; n < 4; ++n) {
      float* const x = &sums[p][n / 2][n % 2 * 2];
      float2 two = {x[0], x[1]};
      work(16 * band + lane.row() + n % 2 * 8, 16 * p + n / 2 * 8 + lane.column(), two);
      x[0] = two.x, x[1] = two.y;
    }
}

}  // namespace lcsm
