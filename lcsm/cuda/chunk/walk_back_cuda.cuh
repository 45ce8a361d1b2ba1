// The gradients of a chunk's rows. S, E, I and Y (d_y) are scaled rows, M is the scaled memory
// before the chunk and N the scaled gradient of the memory after it. In the scores Y I^T and S E^T
// of two steps t, u, those with u later than t are 0:
//
//   d_S = (Y I^T) E + Y M^T     d_E = (I Y^T) S + I N^T     d_I = (E S^T) Y + E N
//
// A block has one chunk and goes over the tiles of its channels. It has two groups of four warps.
// The first computes d_S, the second d_E, and each computes half of a tile's d_I.
#pragma once

#include "lcsm/cuda/chunk/walk_back_gates_cuda.cuh"

namespace lcsm {

// A sweep over the channels computes d_i and the gradient of log_d (kInputs), d_s and d_e (kRows),
// or all of these.
enum class Sweep { kAll, kInputs, kRows };

template <int K, Decaying decaying, bool kMany>
struct WalkBack : WalkBackGates<K, decaying, kMany> {
  using Gates = WalkBackGates<K, decaying, kMany>;
  using Gates::add_behind;
  using Gates::band;
  using Gates::band_sums;
  using Gates::c;
  using Gates::changes;
  using Gates::channel_gradients;
  using Gates::count;
  using Gates::D;
  using Gates::decays_d;
  using Gates::decays_k;
  using Gates::e;
  using Gates::enters;
  using Gates::fetch_tile;
  using Gates::forget_rows;
  using Gates::Gates;
  using Gates::kChannels;
  using Gates::kDecays;
  using Gates::kDecided;
  using Gates::kDecidedChannels;
  using Gates::kHalf;
  using Gates::kKeepsLogs;
  using Gates::lane;
  using Gates::later;
  using Gates::leaves;
  using Gates::log_k;
  using Gates::logs;
  using Gates::of_channels;
  using Gates::own_rows;
  using Gates::row_gradients;
  using Gates::s;
  using Gates::scale_channels;
  using Gates::scale_memories;
  using Gates::stage;
  using Gates::staged;
  using Gates::stages;
  using Gates::step;
  using Gates::warp;
  using Gates::whole;
  using Gates::with_signs;
  using typename Gates::HalfSums;
  using typename Gates::RowSums;
  using typename Gates::Stage;
  using Scores = Sum[kChunkWarps];
  using Scored = Left<Bfloat16>[kChunkWarps];

  // Stores a band's rows of [B, T, N] from column `first` on, of which `width` are left. `space`:
  // 16 rows of W numbers of this warp alone.
  template <int W, int kPairs>
  __device__ void put_rows(Sum (&sums)[kPairs], Rows<W> space, void* to, int N, int first,
                           int width, const WalkPass& pass) const {
    if (to == nullptr || width <= 0) return;
    Bfloat16* const at = static_cast<Bfloat16*>(to) + step(16 * band) * N + first;
    const int rows = count - 16 * band;
    if (pass.memories() && (whole || (width >= 16 * kPairs && N % 8 == 0))) {
#pragma unroll
      for (int part = 0; part < kPairs; part += W / 16) {
        __syncwarp();
        each_two<W>(reinterpret_cast<Sum(&)[W / 16]>(sums[part]), lane, 0, 0,
                    [&](const Place& place, float2& x) { put_two(space, place, x); });
        __syncwarp();
        store_band(space, lane, 0, at + 16 * part, N, rows);
      }
      return;
    }
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = lane.row() + 8 * below;
#pragma unroll
      for (int p = 0; p < kPairs; ++p)
        put_columns(row < rows ? at + static_cast<long long>(row) * N : nullptr, 16 * p, width, N,
                    sums[p], below, kDecays && !pass.memories());
    }
  }
  // y before its decays, of a group's half of the channels. The stored y is rounded, which would
  // show in the gradient of log_d, a sum of small differences.
  __device__ void add_y(HalfSums& y, const Stage& at, const WalkPass& pass, int own) const {
    const Lane lane{lane_of()};
    if (pass.scores())
#pragma unroll 1
      for (int q = 0; q <= band; ++q) {  // a block of steps at a time, which takes fewer registers
        Sum scores = {};
#pragma unroll
        for (int k = 0; k < K; k += 16) {
          Left<Bfloat16> left;
          Right<Bfloat16> right;
          load_left<false>(left, lane, s, 16 * band, k);
          load_right<false>(right, lane, e, 16 * q, k);
          multiply(scores, left, right);
        }
        pick<Half::kUntil>(scores, lane, band, q, pass.pairs());
        Left<Bfloat16> scored;
        left_of(scores, &scored);
#pragma unroll
        for (int p = 0; p < kHalf / 16; ++p) {
          Right<Bfloat16> right;
          load_right<true>(right, lane, at.i, own + 16 * p, 16 * q);
          multiply(y[p], scored, right);
        }
      }
    if (pass.memories() && enters) add_product<false, true, K>(y, lane, s, 16 * band, at.m, own);
  }
  // Takes the scales out of d_i, after it has stored by how much log_d's gradient changes.
  __device__ void unscale_inputs(const Stage& at, const WalkPass& pass, HalfSums& d_i) const {
    const int own = later ? 0 : kHalf;
    HalfSums y = {};
    add_y(y, at, pass, own);
    int n = 0;
    each_cell<D>(y, lane, band, own, changes(), [&](const Place& place, float2& x, unsigned cell) {
      const float2 i = get_two(at.i, place), d_y = get_two(at.d_y, place);
      float* const of_i = &d_i[n / 4][n / 2 % 2][n % 2 * 2];
      const float2 log = kDecided ? get_floats(cell) : float2{};
      put_floats(cell, {x.x * d_y.x - of_i[0] * i.x, x.y * d_y.y - of_i[1] * i.y});
      if (kDecided) {
        of_i[0] *= power_of_two(Power::kInverse, log.x);
        of_i[1] *= power_of_two(Power::kInverse, log.y);
      }
      ++n;
    });
    if (kDecided) return;
    with_signs(pass, false, [&](const auto& signs) {
      Sum logs[kHalf / 16];
      sums_of_logs(logs, lane, at.log_d, signs, own, !pass.whole());
#pragma unroll
      for (int x = 0; x < kHalf / 2; ++x)
        d_i[x / 8][x / 4 % 2][x % 4] *=
            exp_of(logs[x / 8][x / 4 % 2][x % 4], factor_of(Power::kInverse), !pass.whole());
    });
  }
  // Scores of a step and later ones, for d_i.
  __device__ void score_inputs(Scored& scored, const WalkPass& pass) const {
    if (pass.scores()) picked_scores<Half::kFrom, K>(scored, lane, e, band, s, pass.pairs());
  }
  template <Sweep sweep>
  __device__ __forceinline__ void tile(const Stage& at, const WalkPass& pass, Scored& scored,
                                       RowSums& mine, Scores& scores, int first) const {
    const int own = later ? 0 : kHalf, width = min(D, c.D - first);
    if (kMany && decays_d()) {
      scale_channels(at, pass);
      __syncthreads();
    }
    if (kChannels && !kDecided) {
      if (pass.memories()) scale_memories(at, pass);
      __syncthreads();
    }
    if (sweep != Sweep::kRows) {
      if ((decays_k() || kDecidedChannels) && pass.memories() && leaves) add_behind(at);
      HalfSums d_i = {};
      if (pass.memories() && leaves)
        add_product<false, true, K>(d_i, lane, e, 16 * band, at.n, own);
      if (!kDecided && decays_d() && pass.memories())
        band_sums(d_i, at.i, own, of_channels() + band * D);
      if (pass.scores()) add_scored<Half::kFrom>(d_i, lane, scored, band, at.d_y, own);
      if (decays_d()) unscale_inputs(at, pass, d_i);
      put_rows(d_i, own_staged(), c.d_i, c.D, first + own, width - own, pass);
    }
    if (sweep != Sweep::kInputs) {
      if (pass.scores()) {
        if (later)
          add_scores<Half::kUntil, D, !kMany>(scores, lane, at.d_y, band, at.i);
        else
          add_scores<Half::kFrom, D, !kMany>(scores, lane, at.i, band, at.d_y);
      }
      if (pass.memories() && (later ? enters : leaves))
        add_product<false, false, D>(mine, lane, Rows<D>{later ? at.d_y.at : at.i.at}, 16 * band,
                                     Rows<D>{later ? at.m.at : at.n.at}, 0);
    }
    if (sweep != Sweep::kRows && decays_d()) channel_gradients(at.log_d, pass, first, width);
  }
  // Goes over all tiles of channels. The caller has fetched the first one.
  template <Sweep sweep>
  __device__ __forceinline__ void tiles(const WalkPass& pass, Scored& scored, RowSums& mine,
                                        Scores& scores) const {
    if constexpr (!kMany) {
      tile<sweep>(stage(0), pass, scored, mine, scores, 0);
    } else {
      const int count = (c.D + D - 1) / D;
#pragma unroll 1
      for (int n = 0; n < count; ++n) {
        if (n > 0) {
          if (stages() == 1) {
            __syncthreads();
            fetch_tile(stage(0), n * D);
          }
          arrived();
          __syncthreads();
        }
        if (stages() > 1 && n + 1 < count) fetch_tile(stage(n + 1), (n + 1) * D);
        tile<sweep>(stage(n), pass, scored, mine, scores, n * D);
      }
    }
  }
  __device__ Rows<kHalf> own_staged() const {
    return {staged.at + warp * 16 * Rows<kHalf>::kBytes};
  }

  template <Power power>
  __device__ void unscale(RowSums& mine) const {
    each_cell<K>(mine, lane, band, 0, logs(), [](const Place&, float2& x, unsigned cell) {
      const float2 log = get_floats(cell);
      x.x *= power_of_two(power, log.x), x.y *= power_of_two(power, log.y);
    });
  }
  __device__ void unscale(RowSums& mine, const WalkPass& pass) const {
    if (kKeepsLogs) return later ? unscale<Power::kScale>(mine) : unscale<Power::kInverse>(mine);
    const float factor = factor_of(later ? Power::kScale : Power::kInverse);
    with_signs(pass, later, [&](const auto& signs) {
#pragma unroll
      for (int p = 0; p < K / 16; ++p) {
        Sum logs[1];
        log_k.sums(logs, lane, signs, 16 * p, !pass.whole());
#pragma unroll
        for (int x = 0; x < 8; ++x) {
          const float log = logs[x / 8][x / 4 % 2][x % 4];
          mine[p + x / 8][x / 4 % 2][x % 4] *= exp_of(log, factor, !pass.whole());
        }
      }
    });
  }

  __device__ __forceinline__ void compute(const WalkPass& pass) const {
    Scored scored;
    score_inputs(scored, pass);
    RowSums mine = {};
    Scores scores = {};
    tiles<Sweep::kAll>(pass, scored, mine, scores);
    finish_rows(pass, scored, mine, scores);
  }
  // Computes the same in two sweeps over the channels, since each needs fewer registers.
  __device__ __forceinline__ void compute_twice(const WalkPass& pass) const {
    RowSums mine = {};
    Scores scores = {};
    {
      Scored scored;
      score_inputs(scored, pass);
      tiles<Sweep::kInputs>(pass, scored, mine, scores);
    }
    __syncthreads();
    forget_rows();
    fetch_tile(stage(0), 0);
    arrived();
    __syncthreads();
    Scored scored;
    tiles<Sweep::kRows>(pass, scored, mine, scores);
    finish_rows(pass, scored, mine, scores);
  }
  __device__ __forceinline__ void finish_rows(const WalkPass& pass, Scored& scored, RowSums& mine,
                                              Scores& scores) const {
    if (pass.scores()) {
#pragma unroll
      for (int q = 0; q < kChunkWarps; ++q) {
        if (!kMany && !(later ? inside<Half::kUntil>(band, q) : inside<Half::kFrom>(band, q)))
          continue;
        if (later)
          pick<Half::kUntil>(scores[q], lane, band, q, pass.pairs());
        else
          pick<Half::kFrom>(scores[q], lane, band, q, pass.pairs());
        left_of(scores[q], &scored[q]);
      }
      if (later)
        add_scored<Half::kUntil>(mine, lane, scored, band, e, 0);
      else
        add_scored<Half::kFrom>(mine, lane, scored, band, s, 0);
    }
    __syncthreads();  // nobody needs the tiles any more, or rows of another band
    if (decays_k()) {
      row_gradients(mine, pass);
      unscale(mine, pass);
    }
    constexpr int kWide = K < D ? K : D;
    const Rows<kWide> space{own_rows().at + 16 * band * Rows<K>::kBytes};
    put_rows(mine, space, later ? c.d_s.data : c.d_e.data, c.K, 0, c.K, pass);
  }
};

template <int K, Decaying decaying, bool kMany>
__device__ __forceinline__ void walk_back(const WalkBackCuda& given) {
  using Walk = WalkBack<K, decaying, kMany>;
  const Walk walk(given, static_cast<int>(threadIdx.x));
  if (Walk::kDecided && walk.strong()) return;
  walk.begin();
  bool fits = true;
  if (Walk::kDecays) walk.fetch_logs();
  if (Walk::kChannels && !Walk::kDecided) fits = walk.channels_fit({});
  walk.fetch_rows();
  walk.fetch_tile(walk.stage(0), 0);
  arrived();
  __syncthreads();
  if constexpr (Walk::kDecided) {
    walk.scale_both();
    if constexpr (Walk::kChannels) walk.scale_both_channels(walk.stage(0));
    __syncthreads();
  } else if constexpr (Walk::kChannels) {
    fits = __syncthreads_and(walk.scale_rows({}) & fits);
    if (threadIdx.x == 0) walk.strong() = !fits;
    if (!fits) return;
  }
  walk.compute({});
}

// Computes the chunks whose decays are too strong for one pass. In one kernel with the others
// they would take registers that the others need.
template <int K>
__device__ __forceinline__ void walk_strong(const WalkBackCuda& given) {
  if (!given.chunk.strong[blockIdx.x * chunk_kept(given.chunk.T, true) + blockIdx.y]) return;
  for (WalkPass pass{WalkPass::Kind::kEnds};;) {
    const WalkBack<K, Decaying::kAny, true> walk(given, thread_of(), false);
    walk.begin();
    walk.fetch_logs();
    walk.fetch_rows();
    const bool channels = walk.channels_fit(pass);
    walk.fetch_tile(walk.stage(0), 0);
    arrived();
    __syncthreads();
    const bool fits = __syncthreads_and((walk.scale_rows(pass) & channels) | pass.safe());
    if (fits) walk.compute_twice(pass);
    if (!pass.next(fits)) break;
    __syncthreads();
  }
}

}  // namespace lcsm
