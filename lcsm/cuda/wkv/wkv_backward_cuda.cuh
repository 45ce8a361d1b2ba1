// Backward: each warp recomputes its steps from what forward kept; then gradients of the mean and
// of log_sum go from warp to warp, from the last.
#pragma once

#include "lcsm/cuda/wkv/wkv_tile_cuda.cuh"

namespace lcsm {

struct WkvGradient {
  float mean, log_sum;
};

// How some steps change a gradient (mean, log_sum) from behind them: before them it is
// (by mean + d_mean, by log_sum + turned mean + d_log_sum).
struct WkvPass {
  float by, turned, d_mean, d_log_sum;

  __device__ static WkvPass none() { return {1.0f, 0.0f, 0.0f, 0.0f}; }
  __device__ WkvGradient of(const WkvGradient& d) const {
    return {fmaf(by, d.mean, d_mean), fmaf(by, d.log_sum, fmaf(turned, d.mean, d_log_sum))};
  }
  // Of these steps and the `others` behind them.
  __device__ WkvPass of(const WkvPass& others) const {
    const WkvGradient d = of(WkvGradient{others.d_mean, others.d_log_sum});
    return {by * others.by, fmaf(by, others.turned, turned * others.by), d.mean, d.log_sum};
  }
};

// For each step of a thread: the share of v in y (read) and in the next mean (written), and v minus
// the mean before the step (off).
struct WkvShareRows {
  WkvRow read, written, off;

  // Needs no v, which is still in flight.
  __device__ void weigh(const WkvRow& k, WkvSums m, float w, float u) {
    wkv_in_order<false>([&](int i) {
      const WkvShares present(m.most - (u + k[i])), next(m.most - w - k[i]);
      read[i] = wkv_over(present.second, fmaf(present.first, m.below, present.second));
      m.below = fmaf(next.first, m.below, next.second);
      m.most = fmaxf(m.most - w, k[i]);
      written[i] = wkv_over(next.second, m.below);
    });
  }
  __device__ void subtract(const WkvRow& v, float mean) {
    wkv_in_order<false>([&](int i) {
      off[i] = v[i] - mean;
      mean = fmaf(written[i], off[i], mean);
    });
  }
  // Volatile, so that values computed from these are computed again and not kept in registers,
  // which would spill.
  __device__ void renew() {
#pragma unroll
    for (int i = 0; i < kWkvSteps; ++i)
      asm volatile("" : "+f"(read[i]), "+f"(written[i]), "+f"(off[i]));
  }
  __device__ WkvPass pass(int i, float d_y) const {
    const float kept = 1.0f - written[i], past = 1.0f - read[i];
    return {kept, -off[i] * written[i] * kept, d_y * past, -d_y * off[i] * read[i] * past};
  }
};

// The gradients behind a segment. One warp passes them through the later segments and shares them.
template <class T>
__device__ WkvGradient wkv_behind(const WkvTile<T>& tile, WkvOfWarps<WkvPass>& of_warps) {
  const WkvCuda& s = tile.s;
  WkvGradient d{tile.of_sequence(s.d_mean), tile.of_sequence(s.d_log_sum)};
  if (tile.segment + 1 == tile.segments) return d;
  if (tile.warp == 0) {
    for (int n = tile.segments - 1; n > tile.segment; --n)
      d = tile.template get_segment<WkvPass>(s.ends, n).of(d);
    of_warps.put(tile.last, {0.0f, 0.0f, d.mean, d.log_sum});
  }
  __syncthreads();
  return of_warps.get(tile.last, 0).of(WkvGradient{});
}

// Stores the gradients of w and u: the sums of all warps, in their order.
template <class T>
__device__ void wkv_put_sums(const WkvTile<T>& tile, WkvOfWarps<float2>& of_warps, float2 sums) {
  of_warps.put(0, sums);
  __syncthreads();
  if (tile.warp > 0) return;
  for (int warp = 1; warp < kWkvWarps; ++warp) {
    const float2 others = of_warps.get(0, warp);
    sums.x += others.x;
    sums.y += others.y;
  }
  tile.put_segment(tile.s.d_w_u, sums);
}

// kEnds: computes only how the segment changes gradients, into `ends`.
template <class T, bool kEnds>
__device__ void wkv_backward(const WkvCuda& s) {
  __shared__ WkvOfWarps<WkvPass> passes;
  __shared__ WkvOfWarps<float2> sums;
  const WkvTile<T> tile(s);
  T next_k[kWkvSteps];
  tile.fetch(s.k, tile.last - 1, next_k);
  WkvGradient d = kEnds ? WkvGradient{} : wkv_behind(tile, passes);  // behind the tile
  WkvPass all = WkvPass::none();                                     // the tiles so far
  float2 d_w_u = {0.0f, 0.0f};
  for (int at = tile.last - 1; at >= tile.first; --at) {
    const int count = tile.steps(at, tile.warp);
    T given_v[kWkvSteps], given_d_y[kWkvSteps];
    tile.fetch(s.v, at, given_v);
    tile.fetch(s.d_y, at, given_d_y);
    WkvSums m = WkvSums::of(0.0f, 0.0f);
    if (tile.inside && count > 0) m = WkvSums::of(tile.kept(at)[0], tile.kept(at)[s.D]);
    WkvRow k, v, d_y;
    WkvShareRows shares;
    tile.widen(next_k, count, k);
    shares.weigh(k, m, tile.w, tile.u);
    tile.widen(given_v, v);
    shares.subtract(v, m.above);
    if (at > tile.first) tile.fetch(s.k, at - 1, next_k);
    tile.widen(given_d_y, d_y);
    WkvPass own = WkvPass::none();
    wkv_in_order<true>([&](int i) { own = shares.pass(i, d_y[i]).of(own); });
    passes.put(at, own);
    __syncthreads();
    WkvGradient now = d;
#pragma unroll 2
    for (int warp = kWkvWarps - 1; warp >= 0; --warp) {
      if (warp == tile.warp) now = d;
      if (kEnds)
        all = passes.get(at, warp).of(all);
      else
        d = passes.get(at, warp).of(d);
    }
    if (kEnds) continue;
    shares.renew();
    T *const d_k = tile.row(s.d_k, at), *const d_v = tile.row(s.d_v, at);
    wkv_in_order<true>([&](int i) {
      if (i >= count) return;
      const WkvPass pass = shares.pass(i, d_y[i]);
      const float alive = fmaf(pass.by, now.log_sum, pass.turned * now.mean);
      const int there = i * tile.stride();
      if (tile.inside) {
        put(d_k + there,
            fmaf(shares.written[i], now.log_sum, -pass.turned * now.mean) - pass.d_log_sum);
        put(d_v + there, fmaf(shares.read[i], d_y[i], shares.written[i] * now.mean));
      }
      d_w_u.x -= alive;
      d_w_u.y -= pass.d_log_sum;
      now = pass.of(now);
    });
  }
  if (!kEnds) {
    wkv_put_sums(tile, sums, d_w_u);
    if (tile.warp > 0 || tile.first > 0) return;
    tile.put_sequence(s.d_first_mean, d.mean);
    tile.put_sequence(s.d_first_log_sum, d.log_sum);
  } else if (tile.warp == 0) {
    tile.put_segment(s.ends, all);
  }
}

}  // namespace lcsm
