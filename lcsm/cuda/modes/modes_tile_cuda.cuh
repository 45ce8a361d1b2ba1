// A block's tile of time: its steps in registers; in shared memory the factors of its modes and the
// states that go from warp to warp.
#pragma once

#include "lcsm/cuda/common/modes_value_cuda.cuh"
#include "lcsm/cuda/common/pairs_cuda.cuh"
#include "lcsm/cuda/modes/modes_cuda.h"

namespace lcsm {

// A walk over the steps: of u, in its direction, or backward of M, against it.
enum class ModesWalk { kState, kGradient };

__device__ inline int modes_count(const ModesCuda& s) {
  return s.directions[0].N + (s.count > 1 ? s.directions[1].N : 0);
}

using ModesRow = float2[kModesSteps];  // the steps of a thread, of its two channels

// step(n) for this thread's first `count` steps, in either order.
template <bool kBack, bool kWhole, class Step>
__device__ void in_order(int count, const Step& step) {
#pragma unroll
  for (int i = 0; i < kModesSteps; ++i) {
    const int n = kBack ? kModesSteps - 1 - i : i;
    if (kWhole || n < count) step(n);
  }
}
template <class Tile, bool kBack, class Step>
__device__ void in_order(int count, const Step& step) {
  if (Tile::kIsOne || count == kModesSteps)
    in_order<kBack, true>(count, step);
  else
    in_order<kBack, false>(count, step);
}

// Stores both numbers by one instruction. nvcc would split some stores of a float2.
__device__ inline void put_at_once(float* to, float2 x) {
  asm volatile("st.global.v2.f32 [%0], {%1, %2};"
               :
               : "l"(__cvta_generic_to_global(to)), "f"(x.x), "f"(x.y)
               : "memory");
}
__device__ inline void put_at_once(Bfloat16* to, float2 x) { put_pair(to, x); }

// A value for both channels of a thread.
template <class Value>
struct ModePair {
  Value x, y;
};
template <class Value>
__device__ ModePair<Value> added(const ModePair<Value>& a, const ModePair<Value>& b, float2 x) {
  return {added(a.x, b.x, x.x), added(a.y, b.y, x.y)};
}
template <class Value>
__device__ ModePair<Value> added(const ModePair<Value>& a, const ModePair<Value>& b,
                                 const ModePair<Value>& c) {
  return {added(a.x, b.x, c.x), added(a.y, b.y, c.y)};
}
template <class Value>
__device__ ModePair<Value> scaled(float2 x, const ModePair<Value>& a, const ModePair<Value>& c) {
  return {scaled(x.x, a.x, c.x), scaled(x.y, a.y, c.y)};
}
template <class Value>
__device__ float2 real_added(const ModePair<Value>& a, const ModePair<Value>& b, float2 x) {
  return {real_added(a.x, b.x, x.x), real_added(a.y, b.y, x.y)};
}

// kOne: there is a single mode, all tiles are whole, and channels paired.
template <class T, int kParts, bool kBackward, bool kOne = false>
struct ModesTile {
  static constexpr bool kIsOne = kOne;
  using Value = ModeValue<float, kParts>;
  using Wide = ModeValue<double, kParts>;
  using Both = ModePair<Value>;
  using Pair = typename ChannelPair<T>::Type;
  using Pairs = Pair[kModesSteps];
  // The walk whose state a block may carry from tile to tile.
  static constexpr ModesWalk kCarried = kBackward ? ModesWalk::kGradient : ModesWalk::kState;

  const ModesCuda& s;
  float* const space;
  const int lane, half, warp, b;
  const int d;        // the lane's own channel, of modes and sums
  const int first_d;  // the first of the two channels of its steps
  const bool inside;
  const int all_modes;  // of both directions, one after the other
  const int tiles, first, last;

  __device__ ModesTile(const ModesCuda& scan, float* shared)
      : s(scan),
        space(shared),
        lane(threadIdx.x),
        half(lane % 2),
        warp(threadIdx.y),
        b(blockIdx.z),
        d(static_cast<int>(blockIdx.x) * kModesLanes + lane),
        first_d(d - half),
        inside(d < scan.D),
        all_modes(modes_count(scan)),
        tiles(modes_tiles(scan.T)),
        first(static_cast<int>(blockIdx.y) * scan.segment),
        last(min(tiles, first + scan.segment)) {}

  __device__ int modes() const { return kOne ? 1 : all_modes; }

  // Tile n of the segment, in either order.
  __device__ int tile(int n, bool back) const { return back ? last - 1 - n : first + n; }
  __device__ int length(int tile) const { return min(s.T - tile * kModesTile, kModesTile); }
  __device__ bool whole(int tile) const { return kOne || length(tile) == kModesTile; }
  // The first step of this thread, and the steps of a part of the tile.
  __device__ int step(int tile) const {
    return tile * kModesTile + (2 * warp + half) * kModesSteps;
  }
  __device__ int count(int tile) const {
    return kOne ? kModesSteps : min(max(s.T - step(tile), 0), kModesSteps);
  }
  __device__ bool paired(int tile) const {
    return kOne || (s.paired && count(tile) == kModesSteps);
  }
  __device__ int steps(int tile, int of_warp) const {
    return min(max(s.T - tile * kModesTile - of_warp * kModesWarpSteps, 0), kModesWarpSteps);
  }

  // ----- Steps in memory -----
  __device__ long long at(int tile) const {
    return (static_cast<long long>(b) * s.T + step(tile)) * s.D + first_d;
  }
  // Bytes. Volatile, so that addresses of steps are computed for each access and not kept in
  // registers, which would spill.
  __device__ int stride() const {
    int bytes;
    asm volatile("mov.s32 %0, %1;" : "=r"(bytes) : "r"(s.D * static_cast<int>(sizeof(T))));
    return bytes;
  }
  template <class To, class Number>
  __device__ static To* at_step(Number* from, int n, int bytes) {
    return reinterpret_cast<To*>(const_cast<char*>(reinterpret_cast<const char*>(from)) +
                                 static_cast<long long>(n) * bytes);
  }
  // Starts loading a tile's numbers, without waiting for them; 0 outside.
  __device__ void fetch(const void* from, int tile, Pairs& x) const {
    const T* const row = static_cast<const T*>(from) + at(tile);
    const int there = count(tile), bytes = stride();
    if (paired(tile) && first_d < s.D) {
#pragma unroll
      for (int n = 0; n < kModesSteps; ++n) x[n] = *at_step<const Pair>(row, n, bytes);
      return;
    }
#pragma unroll
    for (int n = 0; n < kModesSteps; ++n) {
      const T* const step = at_step<const T>(row, n, bytes);
      const bool one = !kOne && n < there && first_d < s.D, two = one && first_d + 1 < s.D;
      x[n] = channels_of(one ? step[0] : T{}, two ? step[1] : T{});
    }
  }
  __device__ static void read(const Pairs& pairs, ModesRow& x) {
#pragma unroll
    for (int n = 0; n < kModesSteps; ++n) x[n] = two_of(pairs[n]);
  }
  __device__ void load(const void* from, int tile, ModesRow& x) const {
    Pairs pairs;
    fetch(from, tile, pairs);
    read(pairs, x);
  }
  __device__ void store(void* to, int tile, const ModesRow& x) const {
    if (first_d >= s.D) return;
    T* const row = static_cast<T*>(to) + at(tile);
    const int there = count(tile), bytes = stride();
    if (paired(tile)) {
#pragma unroll
      for (int n = 0; n < kModesSteps; ++n) put_at_once(at_step<T>(row, n, bytes), x[n]);
      return;
    }
#pragma unroll
    for (int n = 0; n < kModesSteps; ++n) {
      if (n >= there) continue;
      T* const step = at_step<T>(row, n, bytes);
      put(step, x[n].x);
      if (first_d + 1 < s.D) put(step + 1, x[n].y);
    }
  }
  // True if step `lane` of this warp is padding.
  __device__ bool padded(int tile) const {
    const int step = tile * kModesTile + warp * kModesWarpSteps + lane;
    return s.padding && lane < kModesWarpSteps && step < s.T &&
           s.padding[static_cast<long long>(b) * s.T + step] != 0;
  }
  // A bit for each step of this thread, from the results of `padded`.
  __device__ unsigned padding(bool is_padded) const {
    return s.padding ? __ballot_sync(~0u, is_padded) >> (half * kModesSteps) : 0;
  }
  __device__ static void leave_out(unsigned padding, ModesRow& x) {
    if (padding == 0) return;
#pragma unroll
    for (int n = 0; n < kModesSteps; ++n)
      if (padding >> n & 1) x[n] = {};
  }

  // ----- Modes -----
  __device__ const ModesDirectionCuda& direction(int m) const {
    return s.directions[kOne || m < s.directions[0].N ? 0 : 1];
  }
  __device__ int mode(int m) const {  // in its direction
    return kOne ? 0 : m < s.directions[0].N ? m : m - s.directions[0].N;
  }
  __device__ bool back(ModesWalk walk, int m) const {
    return direction(m).back == (walk == ModesWalk::kState);
  }
  // This warp's place in the order of the walk; whether this half of the warp is the later one.
  __device__ int place(ModesWalk walk, int m) const {
    return back(walk, m) ? kModesWarps - 1 - warp : warp;
  }
  __device__ bool is_later(ModesWalk walk, int m) const { return (half == 1) != back(walk, m); }
  __device__ Wide wide(const double* from, int m) const {
    return inside ? mode_of<kParts>(from, static_cast<long long>(mode(m)) * s.D + d) : Wide{};
  }
  // Where a mode at the beginning of a tile is in [B, tiles, N, parts, D].
  __device__ long long edge(int m, int tile) const {
    return ((static_cast<long long>(b) * tiles + tile) * (kOne ? 1 : direction(m).N) + mode(m)) *
               kParts * s.D +
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

  // ----- Shared memory: rows of a value of each channel -----
  static constexpr int kValue = kParts * kModesLanes;
  // The value of the lane's own channel.
  __device__ Value get(const float* row) const { return at_lane(Value{}, row); }
  __device__ void set(float* row, const Value& value) const { put_at_lane(row, value); }
  // The values of the two channels of its steps.
  __device__ Both both(const float* row) const { return pair_at(Value{}, row); }

  // First the factors of all modes. Then, for each mode of a group, the states of its walks, and
  // backward the sums of warps; where there are several groups, the totals so far.
  __device__ int group() const { return modes_group(modes()); }  // modes of a whole one
  __device__ int in_group(int m) const {
    return kOne ? 0 : m & (group() < modes() ? kModesGroup - 1 : kModesWarps - 1);
  }
  static constexpr int kFactors = modes_factors(kParts) * kModesLanes;
  static constexpr int kWalk = kModesWalkRows * kValue, kWalks = kBackward ? 2 : 1,
                       kSlot = kWalks * kWalk + (kBackward ? 2 * kModesWarps * kValue : 0);
  __device__ float* factor(int m, int which) const { return space + m * kFactors + which * kValue; }
  __device__ float* q(int m) const { return factor(m, 0); }
  __device__ float* c(int m) const { return factor(m, 1); }       // times q, unless it is late
  __device__ float* q_part(int m) const { return factor(m, 2); }  // q^kModesSteps
  __device__ float* q_warp(int m) const { return factor(m, 3); }  // q^kModesWarpSteps
  __device__ float* direct(int m) const { return factor(m, 4); }  // Re c, unless it is late
  // The exact q^kModesTile minus the rounded q_warp to the power kModesWarps.
  __device__ float* q_rest(int m) const { return direct(m) + kModesLanes; }
  __device__ float* slot(int m) const { return factor(modes(), 0) + in_group(m) * kSlot; }
  __device__ float* walk_at(ModesWalk walk, int m) const {
    return slot(m) + static_cast<int>(walk) % kWalks * kWalk;
  }
  // There are two, used in turns: warps that are ahead write one while others still read the other.
  __device__ float* start(ModesWalk walk, int m, int turn) const {
    return walk_at(walk, m) + (turn & 1) * kValue;
  }
  __device__ float* end(ModesWalk walk, int m, int turn, int of_place) const {
    return walk_at(walk, m) + (2 + (turn & 1) * kModesWarps + of_place) * kValue;
  }
  // The final state from zero of this warp's earlier half.
  __device__ float* earlier(ModesWalk walk, int m) const {
    return walk_at(walk, m) + (2 + 2 * kModesWarps + warp) * kValue;
  }
  __device__ float* sum(int m, int of_warp, int which) const {
    return slot(m) + kWalks * kWalk + (of_warp * 2 + which) * kValue;
  }
  __device__ float* total(int m, int which) const {
    return factor(modes(), 0) + group() * kSlot + (m * 2 + which) * kValue;
  }
  __device__ float* d_y_x(int of_warp) const {
    return (group() < modes() ? total(modes(), 0) : total(0, 0)) + of_warp * kModesLanes + lane;
  }

  __device__ void prepare() const {
    for (int m = warp; m < modes(); m += kModesWarps) {
      const ModesDirectionCuda& of = direction(m);
      const Wide exact = wide(of.q, m), weight = wide(of.c, m);
      set(q(m), as<float>(exact));
      set(c(m), as<float>(of.late ? weight : product(exact, weight)));
      static_assert(kModesSteps == 1 << 3 && kModesWarpSteps == 1 << 4 && kModesTile == 1 << 7);
      const Wide part = squared(exact, 3), of_warp = squared(part, 1);
      set(q_part(m), as<float>(part));
      set(q_warp(m), as<float>(of_warp));
      direct(m)[lane] = of.late ? 0.0f : static_cast<float>(weight.x[0]);
      const Wide rounded = squared(as<double>(as<float>(of_warp)), 3), all = squared(of_warp, 3);
      Wide rest;
#pragma unroll
      for (int p = 0; p < kParts; ++p) rest.x[p] = all.x[p] - rounded.x[p];
      set(q_rest(m), as<float>(rest));
    }
  }
  // The factor of x_t itself in y_t.
  __device__ float2 direct_sum() const {
    float2 sum = {};
    if (s.shortcut && first_d < s.D) sum.x = s.shortcut[first_d];
    if (s.shortcut && first_d + 1 < s.D) sum.y = s.shortcut[first_d + 1];
    for (int m = 0; m < modes(); ++m) {
      const float2 of_mode = reinterpret_cast<const float2*>(direct(m))[lane / 2];
      sum = {sum.x + of_mode.x, sum.y + of_mode.y};
    }
    return sum;
  }

  // ----- From warp to warp -----
  __device__ static Value swapped(Value value) {
#pragma unroll
    for (int p = 0; p < kParts; ++p) value.x[p] = __shfl_xor_sync(~0u, value.x[p], 1);
    return value;
  }
  // The values of the lane's own channel: of this half of the warp and of the other half.
  __device__ void own(const Both& both, Value* mine, Value* others) const {
    *mine = half == 1 ? both.y : both.x;
    *others = swapped(half == 1 ? both.x : both.y);
  }
  // q^count u + end.
  __device__ Value advanced(int m, int count, Value u, const Value& end) const {
    if (count == kModesSteps) return added(get(q_part(m)), u, end);
    if (count == kModesWarpSteps) return added(get(q_warp(m)), u, end);
    for (int n = 0; n < count; ++n) u = product(get(q(m)), u);
#pragma unroll
    for (int p = 0; p < kParts; ++p) u.x[p] += end.x[p];
    return u;
  }
  // The number of steps of this warp's earlier or later half.
  __device__ int half_steps(ModesWalk walk, int m, int tile, bool later) const {
    const int all = steps(tile, warp), of_first = min(all, kModesSteps);
    return later != back(walk, m) ? all - of_first : of_first;
  }
  // Stores the final states from zero of this warp's steps, for the modes of a group.
  template <ModesWalk walk>
  __device__ void put_ends(const ModesRow& x, int tile, int turn, int first_mode) const {
    const int there = whole(tile) ? kModesSteps : count(tile);
    for (int m = first_mode; m < min(modes(), first_mode + group()); ++m) {
      const Both factor = both(q(m));
      Both u = {};
      const auto step = [&](int n) { u = added(factor, u, x[n]); };
      if (back(walk, m))
        in_order<ModesTile, true>(there, step);
      else
        in_order<ModesTile, false>(there, step);
      Value mine, others;
      own(u, &mine, &others);
      const bool later = is_later(walk, m);
      Value before = later ? others : mine, after = later ? mine : others;
      if (walk == ModesWalk::kGradient) {
        const Value weight = get(c(m));
        before = product(weight, before);
        after = product(weight, after);
      }
      set(earlier(walk, m), before);
      set(end(walk, m, turn, place(walk, m)),
          whole(tile) ? added(get(q_part(m)), before, after)
                      : advanced(m, half_steps(walk, m, tile, true), before, after));
    }
  }
  // Takes u over the steps of the first `count` warps, in the order of the walk.
  __device__ Value over_warps(ModesWalk walk, int m, int tile, int turn, Value u, int count) const {
    if (whole(tile)) {
      const Value factor = get(q_warp(m));
      Value ends[kModesWarps];
#pragma unroll
      for (int n = 0; n < kModesWarps; ++n) ends[n] = get(end(walk, m, turn, n));
#pragma unroll
      for (int n = 0; n < kModesWarps; ++n) {
        if (n >= count) break;
        u = added(factor, u, ends[n]);
      }
      return u;
    }
    for (int n = 0; n < count; ++n)
      u = advanced(m, steps(tile, back(walk, m) ? kModesWarps - 1 - n : n), u,
                   get(end(walk, m, turn, n)));
    return u;
  }
  __device__ Value over_tile(ModesWalk walk, int m, int tile, int turn) const {
    return over_warps(walk, m, tile, turn, {}, kModesWarps);
  }
  // The state that enters this thread's steps. The last warp of the walk carries it to the next
  // tile.
  template <ModesWalk walk>
  __device__ Both entering(int m, int tile, int turn) const {
    const Value at_start = get(start(walk, m, turn));
    const int own_place = place(walk, m);
    const Value u = over_warps(walk, m, tile, turn, at_start, own_place);
    if (walk == kCarried && s.carried && own_place == kModesWarps - 1) {
      const Value own_end = get(end(walk, m, turn, own_place));
      set(start(walk, m, turn + 1),
          whole(tile) ? added(get(q_rest(m)), at_start, added(get(q_warp(m)), u, own_end))
                      : advanced(m, steps(tile, warp), u, own_end));
    }
    if (walk == ModesWalk::kState && !kBackward && s.carried && own_place == 0)
      if (float* const before = direction(m).before) store_edge(before, m, tile, at_start);
    const Value between = get(earlier(walk, m));
    const Value after = whole(tile) ? added(get(q_part(m)), u, between)
                                    : advanced(m, half_steps(walk, m, tile, false), u, between);
    const bool later = is_later(walk, m);
    const Value mine = later ? after : u, others = swapped(later ? u : after);
    return {half == 1 ? others : mine, half == 1 ? mine : others};
  }

  // ----- From tile to tile: in float32, with exact powers of q -----
  __device__ long long outside(int m) const {  // in [B, N, D]
    return (static_cast<long long>(b) * direction(m).N + mode(m)) * s.D + d;
  }
  // M is conjugate to gradients.
  __device__ static Wide turned(const Wide& u) {
    return kCarried == ModesWalk::kGradient ? conjugate(u) : u;
  }
  __device__ bool carries(int m) const {
    return s.carried && place(kCarried, m) == kModesWarps - 1;
  }
  __device__ void enter() const {
    for (int m = 0; m < modes(); ++m) {
      if (!carries(m)) continue;
      const double* const from = direction(m).first;
      set(start(kCarried, m, 0),
          as<float>(from && inside ? turned(mode_of<kParts>(from, outside(m))) : Wide{}));
    }
  }
  __device__ void leave(int turn) const {
    for (int m = 0; m < modes(); ++m)
      if (double* const to = direction(m).last; to && carries(m) && inside)
        put_mode(to, outside(m), turned(as<double>(get(start(kCarried, m, turn)))));
  }

 private:
  __device__ ModeValue<float, 1> at_lane(const ModeValue<float, 1>&, const float* row) const {
    return {{row[lane]}};
  }
  __device__ ModeValue<float, 2> at_lane(const ModeValue<float, 2>&, const float* row) const {
    const float2 x = reinterpret_cast<const float2*>(row)[lane];
    return {{x.x, x.y}};
  }
  __device__ void put_at_lane(float* row, const ModeValue<float, 1>& value) const {
    row[lane] = value.x[0];
  }
  __device__ void put_at_lane(float* row, const ModeValue<float, 2>& value) const {
    reinterpret_cast<float2*>(row)[lane] = {value.x[0], value.x[1]};
  }
  __device__ ModePair<ModeValue<float, 1>> pair_at(const ModeValue<float, 1>&,
                                                   const float* row) const {
    const float2 x = reinterpret_cast<const float2*>(row)[lane / 2];
    return {{{x.x}}, {{x.y}}};
  }
  __device__ ModePair<ModeValue<float, 2>> pair_at(const ModeValue<float, 2>&,
                                                   const float* row) const {
    const float4 x = reinterpret_cast<const float4*>(row)[lane / 2];
    return {{{x.x, x.y}}, {{x.z, x.w}}};
  }
};

}  // namespace lcsm
