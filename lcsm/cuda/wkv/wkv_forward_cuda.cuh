// Forward: each warp sums its own steps; the sums go from warp to warp; then each warp computes y.
#pragma once

#include "lcsm/cuda/wkv/wkv_tile_cuda.cuh"

namespace lcsm {

// The sums of a thread's `count` steps alone, as step `count` sees them. Later steps have no
// weight.
__device__ inline WkvSums wkv_end(const WkvRow& k, const WkvRow& v, int count, float w) {
  WkvSums sums = {0.0f, 0.0f, WkvSums::none().most};
  const float last = static_cast<float>(count - 1);
  const auto faded = [&](int i) { return fmaf(static_cast<float>(i) - last, w, k[i]); };
  wkv_in_order<false>([&](int i) { sums.most = fmaxf(sums.most, faded(i)); });
  wkv_in_order<false>([&](int i) {
    const float weight = wkv_lesser(faded(i) - sums.most);
    sums.above = fmaf(weight, v[i], sums.above);
    sums.below += weight;
  });
  return sums;
}

// The sums before a segment. One warp adds up the segments before it and shares the result.
template <class T>
__device__ WkvSums wkv_before(const WkvTile<T>& tile, WkvOfWarps<WkvSums>& of_warps) {
  const WkvCuda& s = tile.s;
  WkvSums m =
      s.mean ? WkvSums::of(tile.of_sequence(s.mean), tile.of_sequence(s.log_sum)) : WkvSums::none();
  if (tile.segment == 0) return m;
  if (tile.warp == 0) {
    for (int n = 0; n < tile.segment; ++n)
      m = m.after(static_cast<float>(s.segment * kWkvTile) * tile.w)
              .with(tile.template get_segment<WkvSums>(s.ends, n));
    of_warps.put(tile.first - 1, m);
  }
  __syncthreads();
  return of_warps.get(tile.first - 1, 0);
}

// kEnds: computes only the sums of the segment's own steps, into `ends`.
template <class T, bool kEnds>
__device__ void wkv_forward(const WkvCuda& s) {
  __shared__ WkvOfWarps<WkvSums> ends;
  const WkvTile<T> tile(s);
  T next_k[kWkvSteps], next_v[kWkvSteps];
  tile.fetch(s.k, tile.first, next_k);
  tile.fetch(s.v, tile.first, next_v);
  WkvSums m = kEnds ? WkvSums::none() : wkv_before(tile, ends);  // before the tile
  for (int at = tile.first; at < tile.last; ++at) {
    const int count = tile.steps(at, tile.warp);
    WkvRow k, v;
    tile.widen(next_k, count, k);
    tile.widen(next_v, v);
    ends.put(at, wkv_end(k, v, count, tile.w));
    if (at + 1 < tile.last) tile.fetch(s.k, at + 1, next_k);
    __syncthreads();
    WkvSums now = m;
#pragma unroll 2
    for (int warp = 0; warp < kWkvWarps; ++warp) {
      if (warp == tile.warp) now = m;
      m = m.after(static_cast<float>(tile.steps(at, warp)) * tile.w).with(ends.get(at, warp));
    }
    if (at + 1 < tile.last) tile.fetch(s.v, at + 1, next_v);
    if (kEnds) continue;
    if (s.kept && tile.inside && count > 0) {
      tile.kept(at)[0] = now.mean();
      tile.kept(at)[s.D] = now.log_sum();
    }
    T* const y = tile.row(s.y, at);
    wkv_in_order<false>([&](int i) {
      const float mean = now.with(WkvSums::of(v[i], tile.u + k[i])).mean();
      if (i < count && tile.inside) put(y + i * tile.stride(), mean);
      now = now.after(tile.w).with(WkvSums::of(v[i], k[i]));
    });
  }
  if (tile.warp > 0) return;
  if (kEnds) return tile.put_segment(s.ends, m);
  if (tile.last < tile.tiles) return;
  tile.put_sequence(s.last_mean, m.mean());
  tile.put_sequence(s.last_log_sum, m.log_sum());
}

}  // namespace lcsm
