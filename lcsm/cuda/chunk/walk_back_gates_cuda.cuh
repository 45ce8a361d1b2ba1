// The gradients of a chunk's decays. Let g_t be the gradient of log_k. Behind the chunk g is the
// sum over d of the memory there times its gradient; then
//
//   g_t = g_(t+1) + s_t d_s_t - e_t d_e_t
//
// The gradient h_t of log_d begins with the sum over k; then
//
//   h_t = h_(t+1) + y_t d_y_t - i_t d_i_t
#pragma once

#include "lcsm/cuda/chunk/walk_back_tiles_cuda.cuh"

namespace lcsm {

template <int K, Decaying decaying, bool kMany>
struct WalkBackGates : WalkBackTiles<K, decaying, kMany> {
  using Tiles = WalkBackTiles<K, decaying, kMany>;
  using Tiles::band;
  using Tiles::behind_rows;
  using Tiles::c;
  using Tiles::changes;
  using Tiles::count;
  using Tiles::D;
  using Tiles::decays_k;
  using Tiles::e;
  using Tiles::enters;
  using Tiles::kChannels;
  using Tiles::kDecided;
  using Tiles::kDecidedChannels;
  using Tiles::kHalf;
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
  using Tiles::step;
  using Tiles::Tiles;
  using Tiles::warp;
  using Tiles::whole;
  using typename Tiles::Stage;
  using RowSums = Sum[K / 16];
  using HalfSums = Sum[kHalf / 16];

  // Sums over the steps of a band of rows times sums, by column from `first` on, into to[column].
  __device__ void band_sums(const HalfSums& sums, const Rows<D>& rows, int first, float* to) const {
    const unsigned pair = lane.pair<D>(band);
    float own[8];
#pragma unroll
    for (int p = 0; p < kHalf / 16; ++p)
#pragma unroll
      for (int n = 0; n < 2; ++n) {
        const int column = first + 16 * p + 8 * n;
        const unsigned at = rows.at + (pair ^ column << 1);
        const float2 above = two_of(get_word(at)),
                     below = two_of(get_word(at + 8 * Rows<D>::kBytes));
        own[p * 4 + n * 2] = above.x * sums[p][n][0] + below.x * sums[p][n][2];
        own[p * 4 + n * 2 + 1] = above.y * sums[p][n][1] + below.y * sums[p][n][3];
      }
    put_column_sums(own, to + first);
  }
  // Adds up this lane's two of each 8 columns with those of the other rows: one sum each.
  __device__ void put_column_sums(float (&own)[8], float* to) const {
#pragma unroll
    for (int half = 4; half > 0; half /= 2) {  // lanes 4 half apart
      const bool upper = lane.row() & half;
#pragma unroll
      for (int n = 0; n < half; ++n) {
        const float given = upper ? own[n] : own[n + half];
        own[n] = (upper ? own[n + half] : own[n]) + __shfl_xor_sync(~0u, given, 4 * half);
      }
    }
    const int n = lane.row();
    to[16 * (n / 4) + 8 * (n / 2 % 2) + lane.column() + n % 2] = own[0];
  }

  // Sums over this group's channels of the memory behind the chunk times its gradient, 16 rows at a
  // time: over channels, added to behind_rows(), and if it is decided over rows, put into
  // of_channels(). In float32, since the steps' changes cancel nearly all of what the chunk's steps
  // wrote. Where rows alone decay, what entered the chunk is the diagonal of a product; where it is
  // not decided, scale_memories adds that.
  __device__ void add_behind(const Stage& at) const {
    const int own = later ? 0 : kHalf, row = lane.row();
#pragma unroll 1
    for (int k = 16 * band; k < K; k += 16 * kChunkWarps) {
      HalfSums written = {};
      add_product<true, true, kChunkRows>(written, lane, e, k, at.i, own);
      float above = 0, below = 0;
      each_two<D>(written, lane, k / 16, own, [&](const Place& place, float2& x) {
        const float2 n = get_two(at.n, place);
        if (kDecidedChannels) {
          const float2 m = get_two(at.m, place);
          x.x += m.x, x.y += m.y;
        }
        x.x *= n.x, x.y *= n.y;
        (place.below ? below : above) += x.x + x.y;
      });
      if (kDecidedChannels) {
        float sums[8];
#pragma unroll
        for (int x = 0; x < 8; ++x)
          sums[x] = written[x / 4][x / 2 % 2][x % 2] + written[x / 4][x / 2 % 2][x % 2 + 2];
        put_column_sums(sums, of_channels() + band * D + own);
        if (!decays_k()) continue;
      }
#pragma unroll
      for (int bit = 1; bit < 4; bit *= 2) {
        above += __shfl_xor_sync(~0u, above, bit);
        below += __shfl_xor_sync(~0u, below, bit);
      }
      if (!kChannels && kDecided && enters) {
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

  __device__ Rows<K> own_rows() const { return {later ? s.at : e.at}; }
  // The gradient of log_k from `mine`, which is d_s in the first group and d_e in the second, both
  // still of scaled rows. All threads call it.
  __device__ void row_gradients(RowSums& mine, const WalkPass& pass) const {
    const Rows<K> rows = own_rows();
    const auto behind = [&](int k) {
      float2 sum = {0, 0};
      add(sum, behind_rows() + k), add(sum, behind_rows() + K + k);
      if (kChannels && !kDecided) add(sum, of_rows() + k);
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
  __device__ void channel_gradients(const Rows<D>& logs, const WalkPass& pass, int first,
                                    int width) const {
    if (c.d_log_d == nullptr) return;
    __syncthreads();
    running_gradients<D>(
        logs, c.d_log_d, c.D, first, width, pass,
        [&](int row, int d) { return get_floats(changes().pair(row, d)); },
        [&](int d) {
          float2 sum = {0, 0};
          if (kDecided && !leaves) return sum;
          for (int n = 0; n < (kDecided ? K / 16 : kChunkWarps); ++n)
            add(sum, of_channels() + n * D + d);
          for (int n = 0; n < (kDecided ? 0 : kWarps); ++n) add(sum, of_warps() + n * D + d);
          return sum;
        });
  }
};

}  // namespace lcsm
