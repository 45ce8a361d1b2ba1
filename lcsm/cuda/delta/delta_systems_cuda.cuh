// Solves the systems of all chunks at once: forward for I' and V', backward, transposed, for Y' and
// U'.
#pragma once

#include "lcsm/cuda/delta/delta_inverse_cuda.cuh"
#include "lcsm/cuda/delta/delta_steps_cuda.cuh"

namespace lcsm {

template <int K, bool kBack>
struct DeltaSystems {
  static constexpr int D = kWalkChannels, kThreads = kChunkThreads;
  static constexpr Half kHalf = kBack ? Half::kFrom : Half::kUntil;
  using Square = Rows<kChunkRows>;
  using Operands = Left<Bfloat16>[kChunkWarps];

  const DeltaWalkCuda& given;
  const DeltaCuda& delta;
  const ChunkCuda& c;
  const Lane lane;
  const int warp, b, t, count;
  Rows<K> v, u, s;
  SquareInParts system;    // then these make room for tiles of channels
  unsigned tiles, staged;  // staged: what each warp stores, and at first its block of the system
  float* diagonal;
  Square solution, combined;  // T^T; P T
  DeltaSteps steps;

  __device__ explicit DeltaSystems(const DeltaWalkCuda& g)
      : given(g),
        delta(g.delta),
        c(g.delta.chunk),
        lane{static_cast<int>(threadIdx.x) % 32},
        warp(static_cast<int>(threadIdx.x) / 32),
        b(static_cast<int>(blockIdx.x)),
        t(static_cast<int>(blockIdx.y) * kChunkRows),
        count(min(kChunkRows, c.T - t)),
        steps{lane, delta.log_a.data != nullptr} {
    extern __shared__ __align__(128) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    const auto floats = [&] {
      return reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
    };
    v = take_rows<K>(free), u = take_rows<K>(free);
    if (kBack) s = take_rows<K>(free);
    tiles = free;
    system.high = take_rows<kChunkRows>(free), system.low = take_rows<kChunkRows>(free);
    staged = free, diagonal = floats() + warp * 256;
    free += kChunkRows * Square::kBytes;
    solution = take_rows<kChunkRows>(free);
    if (kBack) combined = take_rows<kChunkRows>(free);
    steps.logs = floats();
  }

  __device__ long long step() const { return static_cast<long long>(b) * c.T + t; }
  __device__ void fetch_rows() const {
    const bool whole = c.whole && count == kChunkRows;
    fetch<K, kThreads>(v, delta.v, c.T, b, t, 0, c.K, count, whole);
    fetch<K, kThreads>(u, c.e, c.T, b, t, 0, c.K, count, whole);
    if (kBack) fetch<K, kThreads>(s, c.s, c.T, b, t, 0, c.K, count, whole);
  }
  __device__ Rows<D> tile(int n) const { return {tiles + n % 2 * kChunkRows * Rows<D>::kBytes}; }
  __device__ void fetch_tile(int n) const {
    const ChunkInputCuda& from = kBack ? c.d_y : c.i;
    fetch<D, kThreads>(tile(n), from, c.T, b, t, n * D, min(D, c.D - n * D), count,
                       c.whole && count == kChunkRows);
  }

  // Computes T^T. All threads call it.
  __device__ __forceinline__ void solve() const {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kUntil, K>(scores, lane, v, warp, u);
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q)
      if (q <= warp) steps.decay<Half::kUntil>(scores[q], warp, q, false);
    each_two<kChunkRows>(scores, lane, warp, 0, [&](const Place& place, float2& x) {
      if (place.column / 16 < warp)
        system.put(place, x);
      else if (place.column / 16 == warp)
        put_two(diagonal + place.row % 16 * 16 + place.column % 16, x);
    });
    __syncwarp();
    system.put_inverse(lane, warp, diagonal);
    __syncthreads();
    system.invert(lane, warp, solution);
  }
  // P T, where P is given as left operands.
  __device__ void combine(const Operands& scored) const {
    Sum sums[kChunkWarps] = {};
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q)
      if (q <= warp)
#pragma unroll
        for (int p = 0; p <= q; ++p) {
          Right<Bfloat16> right;
          load_right<false>(right, lane, solution, 16 * p, 16 * q);
          multiply(sums[p], scored[q], right);
        }
    put_band(combined, sums, lane, warp);
  }
  // A band of T, or backward a band of a transposed triangle.
  template <bool kDown>
  __device__ void load(Operands& left, const Square& of) const {
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q)
      if (inside<kHalf>(warp, q)) load_left<kDown>(left[q], lane, of, 16 * warp, 16 * q);
  }
  // Stores the products of these operands with rows.
  template <int W>
  __device__ void put_product(const Operands& left, const Rows<W>& rows, int first, void* to, int N,
                              int from) const {
    constexpr int kPart = W < 64 ? W : 64;
    const Rows<kPart> space{staged + warp * 16 * Rows<kPart>::kBytes};
    Sum sums[kPart / 16] = {};
    add_scored<kHalf>(sums, lane, left, warp, rows, first);
    put_band(space, sums, lane, 0);
    __syncwarp();
    store_some(space, lane, 0, static_cast<Bfloat16*>(to) + (step() + 16 * warp) * N + from, N,
               count - 16 * warp, N - from);
    __syncwarp();
  }
};

template <int K, bool kBack>
__device__ __forceinline__ void delta_systems(const DeltaWalkCuda& given) {
  using Systems = DeltaSystems<K, kBack>;
  const Systems at(given);
  const ChunkCuda& c = at.c;
  at.fetch_rows();
  if (at.warp == 0) at.steps.sum(at.steps.load(at.delta.log_a, at.b, at.t, at.count));
  arrived();
  __syncthreads();
  at.solve();
  typename Systems::Operands left;
  if (kBack) {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kUntil, K>(scores, at.lane, at.s, at.warp, at.u);
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      if (q <= at.warp) at.steps.template decay<Half::kUntil>(scores[q], at.warp, q, true);
      left_of(scores[q], &left[q]);
    }
  }
  __syncthreads();
  if (at.steps.decays)
    scale_band(kBack ? at.u : at.v, at.lane, at.warp,
               kBack ? at.steps.until_end_two(at.warp) : at.steps.since_two(at.warp));
  at.fetch_tile(0);
  if (kBack) at.combine(left);
  at.template load<!kBack>(left, at.solution);
  __syncthreads();
#pragma unroll 1
  for (int first = 0; first < K; first += K < 64 ? K : 64)
    at.put_product(left, kBack ? at.u : at.v, first, given.solved, c.K, first);
  if (kBack) at.template load<true>(left, at.combined);
  const int tiles = (c.D + Systems::D - 1) / Systems::D;
#pragma unroll 1
  for (int n = 0; n < tiles; ++n) {
    arrived();
    __syncthreads();
    if (n + 1 < tiles) at.fetch_tile(n + 1);
    at.put_product(left, at.tile(n), 0, kBack ? c.d_i : at.delta.w, c.D, n * Systems::D);
  }
}

}  // namespace lcsm
