// A block's tile of time: its steps in registers, and in shared memory the factors of its modes and
// what goes from warp to warp.
#pragma once

#include "lcsm/cuda/common/modes_value_cuda.cuh"
#include "lcsm/cuda/modes/modes_cuda.h"
#include "lcsm/cuda/scan/scan_tile_cuda.cuh"

namespace lcsm {

// What goes along the steps: u, in its direction, and backward M, against it.
enum class ModesWalk { kState, kGradient };

using ModesRow = float[kModesSteps];  // the steps of a thread

// step(n) for this thread's first `count` steps, in either order.
template <bool kBack, bool kWhole, class Step>
__device__ void in_order(int count, const Step& step) {
#pragma unroll
  for (int i = 0; i < kModesSteps; ++i) {
    const int n = kBack ? kModesSteps - 1 - i : i;
    if (kWhole || n < count) step(n);
  }
}
template <bool kBack, class Step>
__device__ void in_order(int count, const Step& step) {
  if (count == kModesSteps)
    in_order<kBack, true>(count, step);
  else
    in_order<kBack, false>(count, step);
}

template <class T, int kParts, bool kBackward>
struct ModesTile {
  using Value = ModeValue<float, kParts>;
  using Wide = ModeValue<double, kParts>;

  const ModesCuda& s;
  float* const space;
  const int lane, warp, b, d;
  const bool inside;
  const int modes;  // of both directions, one after the other
  const int tiles, first, last;

  __device__ ModesTile(const ModesCuda& scan, float* shared)
      : s(scan),
        space(shared),
        lane(threadIdx.x),
        warp(threadIdx.y),
        b(blockIdx.z),
        d(static_cast<int>(blockIdx.x) * kModesLanes + lane),
        inside(d < scan.D),
        modes(scan.directions[0].N + (scan.count > 1 ? scan.directions[1].N : 0)),
        tiles(modes_tiles(scan.T)),
        first(static_cast<int>(blockIdx.y) * scan.segment),
        last(min(tiles, first + scan.segment)) {}

  // Tile n of the segment, in either order.
  __device__ int tile(int n, bool back) const { return back ? last - 1 - n : first + n; }
  __device__ int steps(int tile, int of_warp) const {
    return min(max(s.T - tile * kModesTile - of_warp * kModesSteps, 0), kModesSteps);
  }
  __device__ int length(int tile) const { return min(s.T - tile * kModesTile, kModesTile); }

  // ----- Steps in memory -----
  __device__ long long at(int tile) const {
    return (static_cast<long long>(b) * s.T + tile * kModesTile + warp * kModesSteps) * s.D + d;
  }
  // Volatile: offsets of steps are computed for each access, not kept in registers that would then
  // spill.
  __device__ long long stride() const {
    long long D;
    asm volatile("cvt.s64.s32 %0, %1;" : "=l"(D) : "r"(s.D));
    return D;
  }
  template <class To, class Convert>
  __device__ void load(const void* from, int tile, To (&x)[kModesSteps],
                       const Convert& convert) const {
    const T* const row = static_cast<const T*>(from) + at(tile);
    const int count = inside ? steps(tile, warp) : 0;
    const long long D = stride();
    if (count < kModesSteps)
#pragma unroll
      for (int n = 0; n < kModesSteps; ++n) x[n] = To{};
    in_order<false>(count, [&](int n) { x[n] = convert(row[n * D]); });
  }
  // Ahead of their use: not waited for.
  __device__ void fetch(const void* from, int tile, T (&x)[kModesSteps]) const {
    load(from, tile, x, [](T one) { return one; });
  }
  __device__ void load(const void* from, int tile, ModesRow& x) const {
    load(from, tile, x, [](T one) { return number_of(one); });
  }
  __device__ void store(void* to, int tile, const ModesRow& x) const {
    T* const row = static_cast<T*>(to) + at(tile);
    const long long D = stride();
    in_order<false>(inside ? steps(tile, warp) : 0, [&](int n) { put(row + n * D, x[n]); });
  }
  // Whether step `lane` of this warp is padding.
  __device__ bool padded(int tile) const {
    const int step = tile * kModesTile + warp * kModesSteps + lane;
    return s.padding && lane < kModesSteps && step < s.T &&
           s.padding[static_cast<long long>(b) * s.T + step] != 0;
  }
  __device__ unsigned padding(int tile) const { return __ballot_sync(~0u, padded(tile)); }
  __device__ static void leave_out(unsigned padding, ModesRow& x) {
    if (padding == 0) return;
#pragma unroll
    for (int n = 0; n < kModesSteps; ++n)
      if (padding >> n & 1) x[n] = 0;
  }

  // ----- Modes -----
  __device__ const ModesDirectionCuda& direction(int m) const {
    return s.directions[m < s.directions[0].N ? 0 : 1];
  }
  __device__ int mode(int m) const {  // in its direction
    return m < s.directions[0].N ? m : m - s.directions[0].N;
  }
  __device__ bool back(ModesWalk walk, int m) const {
    return direction(m).back == (walk == ModesWalk::kState);
  }
  __device__ Wide wide(const double* from, int m) const {
    return inside ? mode_of<kParts>(from, static_cast<long long>(mode(m)) * s.D + d) : Wide{};
  }
  // In [B, tiles, N, parts, D].
  __device__ long long edge(int m, int tile) const {
    return ((static_cast<long long>(b) * tiles + tile) * direction(m).N + mode(m)) * kParts * s.D +
           d;
  }
  __device__ Value load_edge(const float* from, int m, int tile) const {
    Value value = {};
    if (inside)
#pragma unroll
      for (int p = 0; p < kParts; ++p) value.x[p] = from[edge(m, tile) + p * s.D];
    return value;
  }
  __device__ void store_edge(float* to, int m, int tile, const Value& value) const {
    if (inside)
#pragma unroll
      for (int p = 0; p < kParts; ++p) to[edge(m, tile) + p * s.D] = value.x[p];
  }

  // ----- Shared memory: rows of 32 numbers, a value has kParts of them -----
  __device__ Value get(const float* rows) const {
    Value value;
#pragma unroll
    for (int p = 0; p < kParts; ++p) value.x[p] = rows[p * kModesLanes + lane];
    return value;
  }
  __device__ void set(float* rows, const Value& value) const {
#pragma unroll
    for (int p = 0; p < kParts; ++p) rows[p * kModesLanes + lane] = value.x[p];
  }
  // First the factors of all modes. Then, for the modes of a group, one for each warp, what goes
  // along, and backward sums of warps; last the sums so far.
  static constexpr int kValue = kParts * kModesLanes, kFactors = 3 * kValue + kModesLanes,
                       kWalk = (1 + kModesWarps) * kValue, kWalks = kBackward ? 2 : 1;
  __device__ float* q(int m) const { return space + m * kFactors; }
  __device__ float* c(int m) const { return q(m) + kValue; }           // times q, unless it is late
  __device__ float* q_warp(int m) const { return q(m) + 2 * kValue; }  // q^kModesSteps
  __device__ float* direct(int m) const { return q(m) + 3 * kValue; }  // Re c, unless it is late
  __device__ int in_group(int m) const { return m % kModesWarps; }
  __device__ int group() const { return min(modes, kModesWarps); }  // modes of a whole one
  __device__ float* walk_at(ModesWalk walk, int m) const {
    return space + modes * kFactors +
           (static_cast<int>(walk) % kWalks * group() + in_group(m)) * kWalk;
  }
  __device__ float* start(ModesWalk walk, int m) const { return walk_at(walk, m); }
  __device__ float* end(ModesWalk walk, int m, int of_warp) const {
    return walk_at(walk, m) + (1 + of_warp) * kValue;
  }
  __device__ float* sum(int m, int of_warp, int which) const {
    return space + modes * kFactors + group() * kWalks * kWalk +
           ((in_group(m) * kModesWarps + of_warp) * 2 + which) * kValue;
  }
  __device__ float* total(int m, int which) const {
    return space + modes * kFactors + group() * (kWalks * kWalk + 2 * kModesWarps * kValue) +
           (m * 2 + which) * kValue;
  }
  __device__ float* d_y_x(int of_warp) const {
    return total(modes, 0) + of_warp * kModesLanes + lane;
  }
  __device__ float* behind() const {
    return kBackward ? total(modes, 0) + kModesThreads : sum(0, 0, 0);
  }

  __device__ void prepare() const {
    for (int m = warp; m < modes; m += kModesWarps) {
      const ModesDirectionCuda& of = direction(m);
      const Wide exact = wide(of.q, m), weight = wide(of.c, m);
      set(q(m), as<float>(exact));
      set(c(m), as<float>(of.late ? weight : product(exact, weight)));
      static_assert(kModesSteps == 1 << 4 && kModesTile == 1 << 7);
      set(q_warp(m), as<float>(squared(exact, 4)));
      direct(m)[lane] = of.late ? 0.0f : static_cast<float>(weight.x[0]);
    }
  }
  // What y_t takes of x_t itself.
  __device__ float direct_sum() const {
    float sum = s.shortcut && inside ? s.shortcut[d] : 0.0f;
    for (int m = 0; m < modes; ++m) sum += direct(m)[lane];
    return sum;
  }

  // ----- From warp to warp -----
  // What this warp's steps make of 0, of the modes of a group.
  template <ModesWalk walk>
  __device__ void put_ends(const ModesRow& x, int count, int first_mode) const {
    for (int m = first_mode; m < min(modes, first_mode + kModesWarps); ++m) {
      const Value factor = get(q(m));
      Value u = {};
      const auto step = [&](int n) { u = added(factor, u, x[n]); };
      if (back(walk, m))
        in_order<true>(count, step);
      else
        in_order<false>(count, step);
      set(end(walk, m, warp), walk == ModesWalk::kGradient ? product(get(c(m)), u) : u);
    }
  }
  // u after the warps [first, last), in the order of the walk. The last with steps may have fewer.
  __device__ Value over_warps(ModesWalk walk, int m, int tile, Value u, int first, int last) const {
    const int odd = length(tile) % kModesSteps, warps = length(tile) / kModesSteps;
    const bool backwards = back(walk, m);
    const Value factor = get(q_warp(m));
    last = min(last, odd > 0 ? warps + 1 : warps);
    for (int n = first; n < last; ++n) {
      const int other = backwards ? first + last - 1 - n : n;
      u = added(other < warps ? factor : power(get(q(m)), odd), u, get(end(walk, m, other)));
    }
    return u;
  }
  __device__ Value over_tile(ModesWalk walk, int m, int tile) const {
    return over_warps(walk, m, tile, {}, 0, kModesWarps);
  }
  __device__ Value entering(ModesWalk walk, int m, int tile) const {
    const bool backwards = back(walk, m);
    return over_warps(walk, m, tile, get(start(walk, m)), backwards ? warp + 1 : 0,
                      backwards ? kModesWarps : warp);
  }
};

}  // namespace lcsm
