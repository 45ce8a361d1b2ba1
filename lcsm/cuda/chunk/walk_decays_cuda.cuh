// Decays within a chunk. The logarithms of scales are products of a triangle of ones with the
// logarithms of decays; rows are multiplied by the scales.
//
// A scale is the decay between a step and an anchor. Usually the anchor is the middle of the chunk,
// and one pass counts all pairs of steps. Where scales would leave exp(-76) .. exp(76), the first
// pass is of memories only, with anchors at the ends of the chunk, so that all scales are at most
// 1. Further ones are of the pairs of steps in the two halves of 64, 32, ... steps, anchored
// between the halves, and the last one is of blocks that are short enough for an anchor in their
// middle.
#pragma once

#include "lcsm/cuda/chunk/walk_rows_cuda.cuh"

namespace lcsm {

enum class Anchor {
  kBefore,  // the chunk: scales are decays since it began
  kEnd,     // of the chunk: decays until it ends
  kMiddle,  // of blocks of `size` steps
};

// One pass over a chunk. In order: kAll, and where scales leave the range kEnds, kHalves of 64
// steps, kBlocks of 32, kHalves of 32, kBlocks of 16 and so on, until blocks are in range.
struct WalkPass {
  enum class Kind { kAll, kEnds, kHalves, kBlocks };
  Kind kind = Kind::kAll;
  int size = kChunkRows;
  // True if this pass reads the memory before the chunk and computes the one after it.
  __device__ bool memories() const { return kind == Kind::kAll || kind == Kind::kEnds; }
  __device__ bool ends() const { return kind == Kind::kEnds; }
  __device__ bool whole() const { return kind == Kind::kAll; }
  // True if the pass runs whatever its scales are: they are at most 1, or blocks cannot be shorter.
  // (A scale that is NaN is never in range.)
  __device__ bool safe() const { return kind == Kind::kEnds || kind == Kind::kHalves || size == 1; }
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
};

// Signs of the logarithms of a block of 16 steps u in the sums of a band of 16 steps t.
template <Anchor anchor>
struct Signs {
  int band, first, last;    // blocks that have a part
  Left<Bfloat16> triangle;  // of the block that is the band
  __device__ Signs(const Lane& lane, int given, int size) : band(given) {
    first = min(band, (anchor_of(16 * band, size) + 1) / 16);
    last = max(band, max(anchor_of(16 * band, size), 0) / 16);
    if (anchor != Anchor::kMiddle || size > 16) {  // all of the band is on one side
      const bool after = anchor_of(16 * band, size) < 16 * band;
      const unsigned here = lane.column() <= lane.row(), next = lane.column() < lane.row();
      const unsigned plus = here * 0x3f80u | next * 0x3f800000u,
                     minus = (here ^ 1) * 0xbf80u | (next ^ 1) * 0xbf800000u;
      triangle = {{after ? plus : minus, after ? 0x3f803f80u : 0u, after ? 0u : 0xbf80bf80u,
                   after ? plus : minus}};
      return;
    }
    const int t = 16 * band + lane.row(), u = 16 * band + lane.column();
    const int above = anchor_of(t, size), below = anchor_of(t + 8, size);
    triangle = {
        {two(above, t, u), two(below, t + 8, u), two(above, t, u + 8), two(below, t + 8, u + 8)}};
  }
  __device__ static int anchor_of(int t, int size) {
    if (anchor == Anchor::kBefore) return -1;
    if (anchor == Anchor::kEnd) return kChunkRows - 1;
    return size == 1 ? t : (t & -size) + size / 2 - 1;
  }
  __device__ static unsigned of(int a, int t, int u) {
    const unsigned after = (a < u) & (u <= t), before = (t < u) & (u <= a);
    return after * 0x3f80u | before * 0xbf80u;
  }
  __device__ static unsigned two(int a, int t, int u) {
    return of(a, t, u) | of(a, t, u + 1) << 16;
  }
  // The signs of another block, which are all equal.
  __device__ Left<Bfloat16> left(int block) const {
    const unsigned one = block < band ? 0x3f803f80u : 0xbf80bf80u;
    return {{one, one, one, one}};
  }
};

// Raises logarithms below -1e4 to -1e4: exp(-1e4) is 0, and sums and differences stay finite.
__device__ inline void bound_logs(Right<Bfloat16>& logs) {
#pragma unroll
  for (int n = 0; n < 4; ++n)
    asm("max.NaN.bf16x2 %0, %0, %1;" : "+r"(logs.x[n]) : "r"(0xc61cc61cu));
}
__device__ inline float bounded_log(float x) { return x < -1e4f ? -1e4f : x; }

// The logarithms of the scales of a band of steps, for kPairs of 16 columns from `column` on.
// bounded: each counts as -1e4 at least. Else one that is -inf or NaN may make any of them NaN.
template <int kPairs, int W, Anchor anchor>
__device__ void sums_of_logs(Sum (&sums)[kPairs], const Lane& lane, const Rows<W>& logs,
                             const Signs<anchor>& signs, int column, bool bounded) {
#pragma unroll
  for (int p = 0; p < kPairs; ++p) {
    Right<Bfloat16> right;
    load_right<true>(right, lane, logs, column + 16 * p, 16 * signs.band);
    if (bounded) bound_logs(right);
    multiply_first(sums[p], signs.triangle, right);
  }
#pragma unroll 1
  for (int block = signs.first; block <= signs.last; ++block) {
    if (block == signs.band) continue;
    const Left<Bfloat16> left = signs.left(block);
#pragma unroll
    for (int p = 0; p < kPairs; ++p) {
      Right<Bfloat16> right;
      load_right<true>(right, lane, logs, column + 16 * p, 16 * block);
      if (bounded) bound_logs(right);
      multiply(sums[p], left, right);
    }
  }
}
// Where all rows share one decay per step: `logs` is [64] in shared memory. Returns the logarithms
// of the scales of this lane's two steps.
template <Anchor anchor>
__device__ float2 sums_of_one(const Lane& lane, unsigned logs, const Signs<anchor>& signs) {
  Sum sum = {};
#pragma unroll 1
  for (int block = signs.first; block <= signs.last; ++block) {
    const unsigned at = logs + (16 * block + lane.column()) * 2;
    Right<Bfloat16> right;
    right.x[0] = right.x[2] = get_word(at), right.x[1] = right.x[3] = get_word(at + 16);
    bound_logs(right);
    multiply(sum, block == signs.band ? signs.triangle : signs.left(block), right);
  }
  return {sum[0][0], sum[0][2]};
}

// The logarithms of decays over k as a kernel is given them: none, one number a step or rows.
template <int K>
struct RowLogs {
  Rows<K> rows;  // or [64] numbers
  bool any, one;
  template <Anchor anchor, int kPairs>
  __device__ void sums(Sum (&to)[kPairs], const Lane& lane, const Signs<anchor>& signs, int first,
                       bool bounded) const {
    if (any && !one) return sums_of_logs(to, lane, rows, signs, first, bounded);
    const float2 log = any ? sums_of_one(lane, rows.at, signs) : float2{0, 0};
#pragma unroll
    for (int x = 0; x < kPairs * 8; ++x) to[x / 8][x / 4 % 2][x % 4] = x % 4 < 2 ? log.x : log.y;
  }
  // The logarithms of the first step's decays, at a place in its row.
  __device__ float2 first(const Place& place) const {
    if (!any) return {0, 0};
    if (!one) return get_two(rows, place);
    const float log = two_of(get_word(rows.at)).x;
    return {log, log};
  }
};

// A scale or its inverse, from its logarithm. Where a chunk takes several passes, scales that a
// pass does not use are bounded: they are multiplied by 0 later, so they have to be finite.
enum class Power { kScale, kInverse };
__device__ inline float factor_of(Power power) {
  return power == Power::kScale ? 1.44269504f : -1.44269504f;
}
// 2^log, or 2^-log for an inverse.
__device__ inline float power_of_two(Power power, float log) {
  float x = power == Power::kScale ? log : -log;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(x));
  return x;
}
__device__ inline float exp_of(float log, float factor, bool bounded) {
  float x = log * factor;
  if (bounded) asm("min.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(kWalkRange * 1.44269504f));
  return power_of_two(Power::kScale, x);
}
__device__ inline float exp_of(float log) { return exp_of(log, factor_of(Power::kScale), false); }
__device__ inline float2 exp_of(float2 log, float factor, bool bounded) {
  return {exp_of(log.x, factor, bounded), exp_of(log.y, factor, bounded)};
}
// Scales 16 x 16 numbers of a band, by the sums of their logarithms.
__device__ inline void scale(Left<Bfloat16>& rows, const Sum& logs, float factor, bool bounded) {
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    const float* const log = &logs[n / 2][n % 2 * 2];
    const float2 x = two_of(rows.x[n]), w = exp_of({log[0], log[1]}, factor, bounded);
    rows.x[n] = pack(x.x * w.x, x.y * w.y);
  }
}
// Scales numbers of s, and numbers of e by the inverse. Turns `logs` into binary logarithms.
__device__ inline void scale(Left<Bfloat16>& s, Left<Bfloat16>& e, Sum& logs) {
#pragma unroll
  for (int n = 0; n < 4; ++n) {
    float* const log = &logs[n / 2][n % 2 * 2];
    log[0] *= factor_of(Power::kScale), log[1] *= factor_of(Power::kScale);
    const float2 of_s = two_of(s.x[n]), of_e = two_of(e.x[n]);
    s.x[n] = pack(of_s.x * power_of_two(Power::kScale, log[0]),
                  of_s.y * power_of_two(Power::kScale, log[1]));
    e.x[n] = pack(of_e.x * power_of_two(Power::kInverse, log[0]),
                  of_e.y * power_of_two(Power::kInverse, log[1]));
  }
}
// The largest |log|, NaN if one is NaN.
__device__ inline void add_range(float& most, float2 log) {
  asm("max.NaN.f32 %0, %0, %1;" : "+f"(most) : "f"(fabsf(log.x)));
  asm("max.NaN.f32 %0, %0, %1;" : "+f"(most) : "f"(fabsf(log.y)));
}
template <int kPairs>
__device__ void add_ranges(float& most, const Sum (&logs)[kPairs]) {
#pragma unroll
  for (int x = 0; x < kPairs * 4; ++x)
    add_range(most, {logs[x / 4][x / 2 % 2][x % 2 * 2], logs[x / 4][x / 2 % 2][x % 2 * 2 + 1]});
}

// Stores the decay of a memory until the anchor, in[column], and from the anchor to the end of the
// chunk, out[column]; the lanes of the first and the last step do it. first_log(place) is the
// logarithm of the first step's decay. Adds the logarithms of both steps to `range`: decays are at
// most 1, so all other steps are nearer to 0.
template <int W, Anchor anchor, int kPairs, class First>
__device__ void keep_ends(const Signs<anchor>&, Sum (&logs)[kPairs], const Lane& lane, int band,
                          int first, float* in, float* out, const First& first_log, float& range) {
  if (anchor == Anchor::kMiddle && band == 0 && lane.row() == 0)
    each_two<W>(logs, lane, band, first, [&](const Place& place, float2& log) {
      if (place.row > 0) return;
      add_range(range, log);
      const float2 own = first_log(place);
      in[place.column] = exp_of(bounded_log(own.x) - log.x);
      in[place.column + 1] = exp_of(bounded_log(own.y) - log.y);
    });
  if (band == kChunkWarps - 1 && lane.row() == 7)
    each_two<W>(logs, lane, band, first, [&](const Place& place, float2& log) {
      if (place.row < kChunkRows - 1) return;
      add_range(range, log);
      out[place.column] = exp_of(log.x), out[place.column + 1] = exp_of(log.y);
    });
}

}  // namespace lcsm
