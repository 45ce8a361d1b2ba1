// The scan of one row, K = 1: a block's channels and steps, its inputs, and the links that go from
// warp to warp. A thread has consecutive steps of two neighbouring channels in registers.
#pragma once

#include "lcsm/cuda/common/pairs_cuda.cuh"
#include "lcsm/cuda/scan/scan_inputs_cuda.cuh"

namespace lcsm {

// How some steps change the memory m before them: to by m + end, for two channels.
struct ChannelLink {
  float2 by, end;

  __device__ float2 of(float2 m) const { return {fmaf(by.x, m.x, end.x), fmaf(by.y, m.y, end.y)}; }
  // The link of the `others` followed by these steps.
  __device__ ChannelLink after(const ChannelLink& others) const {
    return {{by.x * others.by.x, by.y * others.by.y}, of(others.end)};
  }
};

// The links of each warp. There are two sets, of even and of odd tiles: warps that are ahead write
// one while others still read the other.
struct ChannelLinks {
  alignas(16) float4 links[2][kChannelWarps][kChannelLanes];
};

template <class T, int kSteps>
struct ScanChannels {
  static constexpr int kTile = kChannelParts * kSteps;

  const ScanCuda& s;
  const int lane, half, warp, b;
  const int segment, segments;
  const int d;       // the first of the two channels
  const int inside;  // how many of the two exist
  const int tiles, first, last;

  __device__ explicit ScanChannels(const ScanCuda& scan)
      : s(scan),
        lane(static_cast<int>(threadIdx.x) % kChannelLanes),
        half(static_cast<int>(threadIdx.x) / kChannelLanes),
        warp(threadIdx.y),
        b(blockIdx.z),
        segment(blockIdx.y),
        segments(gridDim.y),
        d(static_cast<int>(blockIdx.x) * kScanTile + 2 * lane),
        inside(min(max(scan.D - d, 0), 2)),
        tiles((scan.T + kTile - 1) / kTile),
        first(segment * (scan.segment / kTile)),
        last(min(tiles, first + scan.segment / kTile)) {}

  // The first step of this thread, and its number of steps.
  __device__ int step(int tile) const { return tile * kTile + (2 * warp + half) * kSteps; }
  __device__ int count(int tile) const { return min(max(s.T - step(tile), 0), kSteps); }

  // Volatile, so that addresses of steps are computed for each access and not kept in registers,
  // which would spill.
  __device__ static int opaque(int x) {
    int now;
    asm volatile("mov.s32 %0, %1;" : "=r"(now) : "r"(x));
    return now;
  }
  template <class To, class Number>
  __device__ static To* at_step(Number* from, int i, int bytes) {
    return reinterpret_cast<To*>(reinterpret_cast<unsigned long long>(from) +
                                 static_cast<long long>(i) * bytes);
  }

  // ----- Inputs -----
  // Padded channels and steps repeat the last one; with kZero they are 0.
  template <class Number>
  __device__ void fetch(const ScanInputCuda& in, int tile, Padding padding,
                        typename ChannelPair<Number>::Type (&x)[kSteps]) const {
    using Pair = typename ChannelPair<Number>::Type;
    const bool zero = padding == Padding::kZero;
    const int there = count(tile), t = step(tile);
    const auto* const row =
        static_cast<const Number*>(in.data) + b * in.b + min(d, (s.D - 1) / 2 * 2);
    if (s.paired && there == kSteps) {
      const Number* const own = row + t * in.t;
      const int bytes = opaque(static_cast<int>(in.t * sizeof(Number)));
#pragma unroll
      for (int i = 0; i < kSteps; ++i)
        x[i] = zero && inside == 0 ? Pair{} : *at_step<const Pair>(own, i, bytes);
      return;
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      const Number* const at = row + min(t + i, s.T - 1) * in.t;
      const bool outside = zero && (i >= there || inside == 0);
      const Number one = outside ? Number{} : at[0];
      const Number other = d + 1 < s.D ? (outside ? Number{} : at[1]) : zero ? Number{} : one;
      x[i] = channels_of(one, other);
    }
  }
  // For an input over steps alone: a lane loads one step.
  template <class Number>
  __device__ Number fetch_step(const ScanInputCuda& in, int tile) const {
    const int t = min(step(tile) + lane % kSteps, s.T - 1);
    return static_cast<const Number*>(in.data)[b * in.b + t * in.t];
  }
  __device__ float of_step(float of_lanes, int i) const {
    return __shfl_sync(~0u, of_lanes, half * kChannelLanes + i);
  }
  // Loads a static input.
  __device__ float2 load(const ScanInputCuda& in, Spread spread) const {
    const auto* const from = static_cast<const float*>(in.data);
    if (spread == Spread::kNumber) return {from[0], from[0]};
    return {from[min(d, s.D - 1)], from[min(d + 1, s.D - 1)]};
  }

  // ----- Memories, [..., D], 0 outside -----
  __device__ float2 load(const float* from, long long at) const {
    if (from == nullptr || inside == 0) return {};
    from += at * s.D + d;
    if (s.paired) return *reinterpret_cast<const float2*>(from);
    return {from[0], inside == 2 ? from[1] : 0.0f};
  }
  __device__ void store(float* to, long long at, float2 x) const {
    if (inside > 0) put_two(to + at * s.D + d, x);
  }
  template <class Number>
  __device__ void put_two(Number* to, float2 x) const {
    if (s.paired) return put_pair(to, x);
    put(to, x.x);
    if (inside == 2) put(to + 1, x.y);
  }
  __device__ long long of_segment() const { return static_cast<long long>(b) * segments + segment; }
  // The index, among the memories that forward keeps, of the one before this thread's steps.
  __device__ long long part(int tile) const {
    return static_cast<long long>(b) * ((s.T + kSteps - 1) / kSteps) + step(tile) / kSteps;
  }

  // ----- Results -----
  template <class Number>
  __device__ void store(const ScanOutputCuda& out, int tile, const float2 (&x)[kSteps]) const {
    if (inside == 0) return;
    const int there = count(tile), bytes = opaque(s.D * static_cast<int>(sizeof(Number)));
    Number* const own =
        static_cast<Number*>(out.data) + (static_cast<long long>(b) * s.T + step(tile)) * s.D + d;
    if (s.paired && there == kSteps) {
#pragma unroll
      for (int i = 0; i < kSteps; ++i) put_pair(at_step<Number>(own, i, bytes), x[i]);
      return;
    }
#pragma unroll
    for (int i = 0; i < kSteps; ++i)
      if (i < there) put_two(at_step<Number>(own, i, bytes), x[i]);
  }
  // The sums of x over the block's channels.
  template <class Number>
  __device__ void store_steps(const ScanOutputCuda& out, int tile, float (&x)[kSteps]) const {
    constexpr int kSharing = kChannelLanes / kSteps;  // lanes of a step
#pragma unroll
    for (int rows = kSteps / 2, bit = kChannelLanes / 2; bit > 0; rows /= 2, bit /= 2) {
      const bool upper = (lane & bit) != 0;
#pragma unroll
      for (int i = 0; i < kSteps / 2; ++i) {
        if (i >= rows) continue;
        const float given = upper ? x[i] : x[i + rows], own = upper ? x[i + rows] : x[i];
        x[i] = own + __shfl_xor_sync(~0u, given, bit);
      }
      if (rows == 0) x[0] += __shfl_xor_sync(~0u, x[0], bit);
    }
    const int i = lane / kSharing;
    if (lane % kSharing != 0 || i >= count(tile)) return;
    const long long at = (static_cast<long long>(blockIdx.x) * s.B + b) * s.T + step(tile) + i;
    if (out.final)
      put(static_cast<Number*>(out.data) + at, x[0]);
    else
      static_cast<float*>(out.data)[at] = x[0];
  }

  // ----- From warp to warp -----
  // share: stores the link of a warp's steps; returns the link from what enters the warp to what
  // enters this thread's steps. each_warp: calls each(warp, its link) in the order of the walk.
  template <bool kBack>
  __device__ ChannelLink share(ChannelLinks& shared, int turn, const ChannelLink& own) const {
    const auto swapped = [](float2 x) {
      return float2{__shfl_xor_sync(~0u, x.x, kChannelLanes),
                    __shfl_xor_sync(~0u, x.y, kChannelLanes)};
    };
    const ChannelLink other{swapped(own.by), swapped(own.end)};
    const bool is_second = (half == 1) != kBack;
    if (is_second) {
      const ChannelLink both = own.after(other);
      shared.links[turn & 1][warp][lane] = {both.by.x, both.by.y, both.end.x, both.end.y};
      return other;
    }
    return {{1.0f, 1.0f}, {}};
  }
  template <bool kBack, class Each>
  __device__ void each_warp(const ChannelLinks& shared, int turn, const Each& each) const {
#pragma unroll 4
    for (int n = 0; n < kChannelWarps; ++n) {
      const int of = kBack ? kChannelWarps - 1 - n : n;
      const float4 link = shared.links[turn & 1][of][lane];
      each(of, ChannelLink{{link.x, link.y}, {link.z, link.w}});
    }
  }
  // Carries m over the tile. Returns the memory that enters this thread's steps.
  template <bool kBack>
  __device__ float2 carry(ChannelLinks& shared, int turn, const ChannelLink& own, float2* m) const {
    const ChannelLink before = share<kBack>(shared, turn, own);
    __syncthreads();
    float2 entering = *m;
    each_warp<kBack>(shared, turn, [&](int of, const ChannelLink& link) {
      if (of == warp) entering = *m;
      *m = link.of(*m);
    });
    return before.of(entering);
  }
};

// A gate that tape_source printed, with the inputs of a tile of time. kE, kS: the kinds of e and s.
template <class Gate, class T, StageKind kE, StageKind kS>
struct ChannelInputs {
  static constexpr int kLeaves = Gate::kLeaves,
                       kSteps = channel_steps(kLeaves, LCSM_CHANNELS_STEPS);
  using Tile = ScanChannels<T, kSteps>;
  using Leaf = typename ScanLeaf<Gate::kExact, T>::Type;
  using Factors = typename Gate::Factors;
  using Pair = typename ChannelPair<T>::Type;
  using Cell = float[kLeaves + 1];  // the leaves of a cell

  const Tile tile;
  float2 e = {1.0f, 1.0f}, s = {1.0f, 1.0f}, fixed[kLeaves + 1];  // static
  Pair i[kSteps], d_y[kSteps];
  typename ChannelPair<Leaf>::Type cells[kLeaves + 1][kSteps];
  T e_step, s_step;
  Leaf steps[kLeaves + 1];

  __device__ static constexpr bool over_time(int n) {
    return Gate::spread(n) == Spread::kSteps || Gate::spread(n) == Spread::kCells;
  }
  __device__ explicit ChannelInputs(const ScanCuda& scan) : tile(scan) {
    if (kE == StageKind::kStatic) e = tile.load(tile.s.e, Spread::kChannels);
    if (kS == StageKind::kStatic) s = tile.load(tile.s.s, Spread::kChannels);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n)
      if (!over_time(n)) fixed[n] = tile.load(tile.s.leaves[n], Gate::spread(n));
  }

  // Starts loading a tile's inputs, without waiting for them.
  template <bool kWrites, bool kReads, bool kGradient>
  __device__ void fetch(int at) {
    const ScanCuda& scan = tile.s;
    if (kWrites) tile.template fetch<T>(scan.i, at, Padding::kZero, i);
    if (kGradient) tile.template fetch<T>(scan.d_y, at, Padding::kZero, d_y);
#pragma unroll
    for (int n = 0; n < kLeaves; ++n) {
      if (Gate::spread(n) == Spread::kCells)
        tile.template fetch<Leaf>(scan.leaves[n], at, Padding::kLast, cells[n]);
      if (Gate::spread(n) == Spread::kSteps)
        steps[n] = tile.template fetch_step<Leaf>(scan.leaves[n], at);
    }
    if (kWrites && kE == StageKind::kData) e_step = tile.template fetch_step<T>(scan.e, at);
    if (kReads && kS == StageKind::kData) s_step = tile.template fetch_step<T>(scan.s, at);
  }

  __device__ float2 e_of(T of_lanes, int n) const { return stage<kE>(e, of_lanes, n); }
  __device__ float2 s_of(T of_lanes, int n) const { return stage<kS>(s, of_lanes, n); }

  // The leaves of both channels at step n.
  __device__ void leaves(int n, Cell& one, Cell& other) const {
#pragma unroll
    for (int k = 0; k < kLeaves; ++k) {
      float2 x = fixed[k];
      if (Gate::spread(k) == Spread::kCells) x = two_of(cells[k][n]);
      if (Gate::spread(k) == Spread::kSteps) x.x = x.y = tile.of_step(number_of(steps[k]), n);
      one[k] = x.x;
      other[k] = x.y;
    }
  }
  // The gate o, and the factor w of i besides e.
  __device__ void gate(int n, float2* o, float2* w) const {
    Cell one, other;
    leaves(n, one, other);
    Factors by;
    Gate::gate(one, by);
    o->x = by.o.x[0];
    w->x = Gate::kWrites ? by.w.x[0] : 1.0f;
    Gate::gate(other, by);
    o->y = by.o.x[0];
    w->y = Gate::kWrites ? by.w.x[0] : 1.0f;
  }

 private:
  template <StageKind kind>
  __device__ float2 stage(float2 is, T of_lanes, int n) const {
    if (kind != StageKind::kData) return is;
    const float x = tile.of_step(number_of(of_lanes), n);
    return {x, x};
  }
};

__device__ inline float2 product(float2 a, float2 b) { return {a.x * b.x, a.y * b.y}; }
__device__ inline float2 added(float2 a, float2 b, float2 c) {
  return {fmaf(a.x, b.x, c.x), fmaf(a.y, b.y, c.y)};
}

}  // namespace lcsm
