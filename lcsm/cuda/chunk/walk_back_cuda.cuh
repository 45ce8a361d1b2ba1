// The gradients of a chunk's rows. S, E, I and Y (d_y) are scaled rows, M is the scaled memory
// before the chunk and N the scaled gradient of the memory after it. In the scores Y I^T and S E^T
// of two steps t, u, those with u later than t are 0:
//
//   d_S = (Y I^T) E + Y M^T     d_E = (I Y^T) S + I N^T     d_I = (E S^T) Y + E N
//
// A block has one chunk and goes over the tiles of its channels. It has two groups of four warps.
// The first computes d_S, the second d_E, and each computes half of a tile's d_I.
//
// Let g_t be the gradient of log_k. Behind the chunk g is the sum over d of the memory there times
// its gradient; then
//
//   g_t = g_(t+1) + s_t d_s_t - e_t d_e_t
//
// The gradient h_t of log_d begins with the sum over k; then
//
//   h_t = h_(t+1) + y_t d_y_t - i_t d_i_t
#pragma once

#include "lcsm/cuda/chunk/walk_back_tiles_cuda.cuh"

namespace lcsm {

// A sweep over the channels computes d_i and the gradient of log_d (kInputs), d_s and d_e (kRows),
// or all of these.
enum class Sweep { kAll, kInputs, kRows };

template <int K, Decaying decaying, bool kMany>
struct WalkBack : WalkBackTiles<K, decaying, kMany> {
  using Tiles = WalkBackTiles<K, decaying, kMany>;
  using Tiles::band;
  using Tiles::behind_rows;
  using Tiles::c;
  using Tiles::changes;
  using Tiles::count;
  using Tiles::D;
  using Tiles::decays_d;
  using Tiles::decays_k;
  using Tiles::e;
  using Tiles::enters;
  using Tiles::fetch_tile;
  using Tiles::forget_rows;
  using Tiles::kChannels;
  using Tiles::kDecays;
  using Tiles::kHalf;
  using Tiles::kRowsOnly;
  using Tiles::kThreads;
  using Tiles::kWarps;
  using Tiles::lane;
  using Tiles::later;
  using Tiles::leaves;
  using Tiles::log_k;
  using Tiles::logs;
  using Tiles::of_channels;
  using Tiles::of_rows;
  using Tiles::of_warps;
  using Tiles::parts;
  using Tiles::row_changes;
  using Tiles::s;
  using Tiles::scale_channels;
  using Tiles::scale_memories;
  using Tiles::stage;
  using Tiles::staged;
  using Tiles::stages;
  using Tiles::step;
  using Tiles::Tiles;
  using Tiles::warp;
  using Tiles::whole;
  using Tiles::with_signs;
  using typename Tiles::Stage;
  using RowSums = Sum[K / 16];
  using HalfSums = Sum[kHalf / 16];
  using Scores = Sum[kChunkWarps];
  using Scored = Left<Bfloat16>[kChunkWarps];

  // Sums over the steps of a band of rows times sums, by column from `first` on, into to[column].
  template <int kPairs, int W>
  __device__ void band_sums(const Sum (&sums)[kPairs], const Rows<W>& rows, int first,
                            float* to) const {
    const unsigned pair = lane.pair<W>(band);
#pragma unroll
    for (int p = 0; p < kPairs; ++p)
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const int column = first + 16 * p + 8 * n;
        const unsigned at = rows.at + (pair ^ column << 1);
        const float2 above = two_of(get_word(at)),
                     below = two_of(get_word(at + 8 * Rows<W>::kBytes));
        float2 sum = {above.x * sums[p][n][0] + below.x * sums[p][n][2],
                      above.y * sums[p][n][1] + below.y * sums[p][n][3]};
#pragma unroll
        for (int bit = 4; bit < 32; bit *= 2) {
          sum.x += __shfl_xor_sync(~0u, sum.x, bit);
          sum.y += __shfl_xor_sync(~0u, sum.y, bit);
        }
        if (lane.row() == 0) {
          to[column + lane.column()] = sum.x;
          to[column + lane.column() + 1] = sum.y;
        }
      }
  }

  // Adds to behind_rows() the sum over this group's channels of the memory behind the chunk, as far
  // as the chunk's steps wrote it, times its gradient; 16 rows at a time. In float32, since the
  // steps' changes cancel nearly all of it. Where memories are scaled already, adds what entered
  // the chunk, too: the diagonal of a product.
  __device__ void add_behind(const Stage& at) const {
    const int own = later ? 0 : kHalf, row = lane.row();
#pragma unroll 1
    for (int k = 16 * band; k < K; k += 16 * kChunkWarps) {
      HalfSums written = {};
      add_product<true, true, kChunkRows>(written, lane, e, k, at.i, own);
      float above = 0, below = 0;
      each_two<D>(written, lane, k / 16, own, [&](const Place& place, float2& x) {
        const float2 n = get_two(at.n, place);
        (place.below ? below : above) += x.x * n.x + x.y * n.y;
      });
#pragma unroll
      for (int bit = 1; bit < 4; bit *= 2) {
        above += __shfl_xor_sync(~0u, above, bit);
        below += __shfl_xor_sync(~0u, below, bit);
      }
      if (kRowsOnly && enters) {
        Sum sum = {};
#pragma unroll
        for (int p = 0; p < kHalf / 16; ++p) {
          Left<Bfloat16> left;
          Right<Bfloat16> right;
          load_left<false>(left, lane, at.m, k, own + 16 * p);
          load_right<false>(right, lane, at.n, k, own + 16 * p);
          multiply(sum, left, right);
        }
        above += row % 2 ? sum[0][1] : sum[0][0];
        below += row % 2 ? sum[1][3] : sum[1][2];
      }
      if (row / 2 != lane.id % 4) continue;
      float* const to = behind_rows() + (later ? 0 : K) + k + row;
      to[0] += above, to[8] += below;
    }
  }

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
  __device__ static void add(float2& sum, const float* two) {
    const float2 more = two_of(two);
    sum.x += more.x, sum.y += more.y;
  }
  __device__ static float of_open(float log, float g) { return log < kClosedGate ? 0 : g; }
  __device__ static void put_gate(Bfloat16* to, float x, const WalkPass& pass) {
    put(to, pass.memories() ? x : x + number_of(*to));
  }

  // Adds up changes from the last step to the first, and stores the gradients of `logs`: `width` of
  // W columns, from column `first` of N on. change(row, column) is the change of two columns at a
  // step, behind(column) their gradient after the chunk.
  template <int W, class Change, class Behind>
  __device__ __forceinline__ void running_gradients(const Rows<W>& logs, void* to, int N, int first,
                                                    int width, const WalkPass& pass,
                                                    const Change& change,
                                                    const Behind& behind) const {
    constexpr int kParts = 2 * kThreads / W, kRows = kChunkRows / kParts;
    const int thread = thread_of(), part = thread / (W / 2), column = thread % (W / 2) * 2;
    float2 changes[kRows], sum = {0, 0};
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      changes[row] = change(part * kRows + row, column);
      sum.x += changes[row].x, sum.y += changes[row].y;
    }
    put_two(parts() + part * W + column, sum);
    __syncthreads();
    float2 g = {0, 0};
    if (pass.memories()) g = behind(column);
    for (int n = part + 1; n < kParts; ++n) {
      const float2 more = two_of(parts() + n * W + column);
      g.x += more.x, g.y += more.y;
    }
#pragma unroll
    for (int row = kRows - 1; row >= 0; --row) {
      g.x += changes[row].x, g.y += changes[row].y;
      const float2 log = get_two(logs, part * kRows + row, column);
      changes[row] = {of_open(log.x, g.x), of_open(log.y, g.y)};
    }
    const int most = column < width ? count - part * kRows : 0;
    Bfloat16* at = static_cast<Bfloat16*>(to) + step(part * kRows) * N + first + column;
    if (pass.memories() && (whole || (most >= kRows && N % 2 == 0))) {
#pragma unroll
      for (int row = 0; row < kRows; ++row, at += N)
        *reinterpret_cast<unsigned*>(at) = pack(changes[row].x, changes[row].y);
      return;
    }
#pragma unroll
    for (int row = 0; row < kRows; ++row, at += N)
      if (row < most) {
        put_gate(at, changes[row].x, pass);
        if (column + 1 < width) put_gate(at + 1, changes[row].y, pass);
      }
  }

  // y before its decays, of a group's half of the channels. The stored y is rounded, which would
  // show in the gradient of log_d, a sum of small differences.
  __device__ void add_y(HalfSums& y, const Stage& at, const WalkPass& pass, int own) const {
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
    each_two<D>(y, lane, band, own, [&](const Place& place, float2& x) {
      const float2 i = get_two(at.i, place), d_y = get_two(at.d_y, place);
      const float* const of_i = &d_i[n / 4][n / 2 % 2][n % 2 * 2];
      put_two(Matrix<float, D>{changes()}.at(place.row, place.column),
              {x.x * d_y.x - of_i[0] * i.x, x.y * d_y.y - of_i[1] * i.y});
      ++n;
    });
    with_signs(pass, false, [&](const auto& signs) {
      Sum logs[kHalf / 16];
      sums_of_logs(logs, lane, at.log_d, signs, own, !pass.whole());
#pragma unroll
      for (int x = 0; x < kHalf / 2; ++x)
        d_i[x / 8][x / 4 % 2][x % 4] *=
            exp_of(logs[x / 8][x / 4 % 2][x % 4], factor_of(Power::kInverse), !pass.whole());
    });
  }
  __device__ void channel_gradients(const Rows<D>& logs, const WalkPass& pass, int first,
                                    int width) const {
    if (c.d_log_d == nullptr) return;
    __syncthreads();
    const Matrix<float, D> all{changes()};
    running_gradients<D>(
        logs, c.d_log_d, c.D, first, width, pass,
        [&](int row, int d) { return two_of(all.at(row, d)); },
        [&](int d) {
          float2 sum = {0, 0};
          for (int n = 0; n < kWarps; ++n) add(sum, of_warps() + n * D + d);
          for (int n = 0; n < kChunkWarps; ++n) add(sum, of_channels() + n * D + d);
          return sum;
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
    if (kChannels) {
      if (pass.memories()) scale_memories(at, pass);
      __syncthreads();
    }
    if (sweep != Sweep::kRows) {
      if (decays_k() && pass.memories() && leaves) add_behind(at);
      HalfSums d_i = {};
      if (pass.memories() && leaves)
        add_product<false, true, K>(d_i, lane, e, 16 * band, at.n, own);
      if (decays_d() && pass.memories()) band_sums(d_i, at.i, own, of_channels() + band * D);
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

  // The gradient of log_k from `mine`, which is d_s in the first group and d_e in the second, both
  // still of scaled rows. All threads call it.
  __device__ void row_gradients(RowSums& mine, const WalkPass& pass) const {
    const Rows<K> rows = own_rows();
    const auto behind = [&](int k) {
      float2 sum = {0, 0};
      add(sum, behind_rows() + k), add(sum, behind_rows() + K + k);
      if (kChannels) add(sum, of_rows() + k);
      return sum;
    };
    if (log_k.one) {
      float above = 0, below = 0;
      each_two<K>(mine, lane, band, 0, [&](const Place& place, float2& x) {
        const float2 of_row = get_two(rows, place);
        (place.below ? below : above) += x.x * of_row.x + x.y * of_row.y;
      });
#pragma unroll
      for (int bit = 1; bit < 4; bit *= 2) {
        above += __shfl_xor_sync(~0u, above, bit);
        below += __shfl_xor_sync(~0u, below, bit);
      }
      const int row = 16 * band + lane.row();
      if (lane.id % 4 == 0) {
        float* const at = parts() + (later ? 0 : kChunkRows);
        at[row] = above, at[row + 8] = below;
      }
      __syncthreads();
      if (warp > 0) return;
      float g = 0;
      if (pass.memories())
        for (int k = 2 * lane.id; k < K; k += 64) g += behind(k).x + behind(k).y;
#pragma unroll
      for (int bit = 1; bit < 32; bit *= 2) g += __shfl_xor_sync(~0u, g, bit);
      const int first = 2 * lane.id;
      const float one = parts()[first] - parts()[kChunkRows + first],
                  two = parts()[first + 1] - parts()[kChunkRows + first + 1];
      float sum = one + two;
#pragma unroll
      for (int bit = 1; bit < 32; bit *= 2) {
        const float more = __shfl_down_sync(~0u, sum, bit);
        if (lane.id + bit < 32) sum += more;
      }
      Bfloat16* const gates = static_cast<Bfloat16*>(c.d_log_k.data) + step(first);
      const float2 log = two_of(get_word(log_k.rows.at + 2 * first));
      if (first < count) put_gate(gates, of_open(log.x, g + sum), pass);
      if (first + 1 < count) put_gate(gates + 1, of_open(log.y, g + sum - one), pass);
      return;
    }
    each_cell<K>(mine, lane, band, 0, row_changes(later),
                 [&](const Place& place, float2& x, unsigned cell) {
                   const float2 of_row = get_two(rows, place);
                   put_floats(cell, {x.x * of_row.x, x.y * of_row.y});
                 });
    __syncthreads();
    const Cells<K> added = row_changes(true), taken = row_changes(false);
    running_gradients<K>(
        log_k.rows, c.d_log_k.data, c.K, 0, c.K, pass,
        [&](int row, int k) {
          const float2 more = get_floats(added.pair(row, k)), less = get_floats(taken.pair(row, k));
          return float2{more.x - less.x, more.y - less.y};
        },
        behind);
  }
  template <Power power>
  __device__ void unscale(RowSums& mine) const {
    each_cell<K>(mine, lane, band, 0, logs(), [](const Place&, float2& x, unsigned cell) {
      const float2 log = get_floats(cell);
      x.x *= power_of_two(power, log.x), x.y *= power_of_two(power, log.y);
    });
  }
  __device__ void unscale(RowSums& mine, const WalkPass& pass) const {
    if (kRowsOnly && walk_keeps_logs(K))
      return later ? unscale<Power::kScale>(mine) : unscale<Power::kInverse>(mine);
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
  __device__ Rows<K> own_rows() const { return {later ? s.at : e.at}; }
};

template <int K, Decaying decaying, bool kMany>
__device__ __forceinline__ void walk_back(const WalkBackCuda& given) {
  using Walk = WalkBack<K, decaying, kMany>;
  const Walk walk(given, static_cast<int>(threadIdx.x));
  if (Walk::kRowsOnly && walk.strong()) return;
  walk.begin();
  bool fits = true;
  if (Walk::kDecays) walk.fetch_logs();
  if (Walk::kChannels && kMany) fits = walk.channels_fit({});
  walk.fetch_rows();
  walk.fetch_tile(walk.stage(0), 0);
  arrived();
  __syncthreads();
  if constexpr (Walk::kChannels) {
    if (!kMany) fits &= walk.scale_channels(walk.stage(0), {});
    fits = __syncthreads_and(walk.scale_rows({}) & fits);
    if (threadIdx.x == 0) walk.strong() = !fits;
    if (!fits) return;
  }
  if constexpr (Walk::kRowsOnly) {
    walk.scale_both();
    __syncthreads();
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
