// Backward: chunk by chunk from the last, the gradient of the memory in registers. Of scaled rows
// and memories S, E, I, Y (of d_y), M (before the chunk) and N (the gradient of the one after it):
//
//   Q = Y I^T   d_S = Q E + Y M^T   d_E = Q^T S + I N^T   d_I = (S E^T)^T Y + E N   N' = N + S^T Y
//
// with the scores of a step and a later one left out. The gradient of log_k at a chunk's first step
// is the sum of M (.) N' over d, and g_(t+1) = g_t - s_t d_s_t + e_t d_e_t; that of log_d likewise.
#pragma once

#include "lcsm/cuda/chunk_tile_cuda.cuh"

namespace lcsm {

template <class T, int K, int D>
struct ChunkBackward : ChunkTile<T, K, D, true> {
  using Tile = ChunkTile<T, K, D, true>;
  using Tile::c;
  using typename Tile::Memory;
  using RowSums = Sum[K / 16];
  using ChannelSums = Sum[D / 16];
  static constexpr int kWidest = K > D ? K : D;

  __device__ explicit ChunkBackward(const ChunkCuda& given) : Tile(given) {}

  __device__ bool decays() const { return this->decays_k() || this->decays_d(); }
  // Differences of which the gradient of the gate is a running sum.
  __device__ float* change(int row, int column) const {
    return Matrix<float, kWidest>{this->sums}.at(row, column);
  }

  // Calls work(x, row, column) for this lane's numbers of 16 rows of a chunk.
  template <int kPairs, class Work>
  __device__ void each_of_rows(Sum (&sums)[kPairs], const Work& work) const {
#pragma unroll
    for (int p = 0; p < kPairs; ++p)
#pragma unroll
      for (int n = 0; n < 8; ++n)
        work(sums[p][n / 4][n % 4], this->score_row() + n % 4 / 2 * 8,
             16 * p + n / 4 * 8 + lane_of() % 4 * 2 + n % 2);
  }
  // Rows of a chunk that begins at step t, of copy `copy` of [copies, B, T, N].
  template <int kPairs>
  __device__ void put_rows(const Sum (&sums)[kPairs], const ScanOutputCuda& to, int copy, int N,
                           int column, int width, int t, int steps) const {
    if (to.data == nullptr) return;
#pragma unroll
    for (int below = 0; below < 2; ++below) {
      const int row = this->score_row() + 8 * below;
      const long long at =
          (static_cast<long long>(copy) * c.B * c.T + this->step(t + row)) * N + column;
      const bool valid = row < steps;
#pragma unroll
      for (int p = 0; p < kPairs; ++p)
        if (to.final)
          put_columns(valid ? static_cast<T*>(to.data) + at : nullptr, 16 * p, width, sums[p],
                      below);
        else
          put_columns(valid ? static_cast<float*>(to.data) + at : nullptr, 16 * p, width, sums[p],
                      below);
    }
  }

  __device__ void shrink_gradient(int t, int steps) const {
    RowSums d_s = {};
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kUntil, D>(scores, this->d_y, this->warp, this->i);
    add_scored<Half::kUntil>(d_s, scores, this->warp, this->e);
    add_product<false, false, D>(d_s, this->d_y, 16 * this->warp, this->memory, 0);
    if (this->decays_k())
      each_of_rows(d_s, [&](float& x, int row, int k) {
        *change(row, k) = -number_of(*this->s.at(row, k)) * x;
        x *= number_of(*this->log_k.at(row, k));
      });
    put_rows(d_s, c.d_s, this->tile, c.K, 0, c.K, t, steps);
  }
  __device__ void expand_gradient(int t, int steps) const {
    RowSums d_e = {};
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kFrom, D>(scores, this->i, this->warp, this->d_y);
    add_scored<Half::kFrom>(d_e, scores, this->warp, this->s);
    add_product<false, false, D>(d_e, this->i, 16 * this->warp, this->d_memory, 0);
    if (this->decays_k())
      each_of_rows(d_e, [&](float& x, int row, int k) {
        *change(row, k) += number_of(*this->e.at(row, k)) * x;
        if (row < steps) x /= number_of(*this->log_k.at(row, k));
      });
    put_rows(d_e, c.d_e, this->tile, c.K, 0, c.K, t, steps);
  }
  // Keeps i d_i for the gradient of log_d in d_i.
  __device__ void input_gradient(ChannelSums& d_i, int t, int steps) const {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kFrom, K>(scores, this->e, this->warp, this->s);
    add_scored<Half::kFrom>(d_i, scores, this->warp, this->d_y);
    add_product<false, true, K>(d_i, this->e, 16 * this->warp, this->d_memory, 0);
    if (!this->decays_d()) return put_inputs(d_i, t, steps);
    ChannelSums unscaled;
#pragma unroll
    for (int n = 0; n < D / 2; ++n)
      unscaled[n / 8][n / 4 % 2][n % 4] = d_i[n / 8][n / 4 % 2][n % 4];
    each_of_rows(unscaled, [&](float& x, int row, int d) {
      if (row < steps) x /= number_of(*this->log_d.at(row, d));
    });
    each_of_rows(d_i, [&](float& x, int row, int d) { x *= number_of(*this->i.at(row, d)); });
    put_inputs(unscaled, t, steps);
  }
  __device__ void put_inputs(const ChannelSums& d_i, int t, int steps) const {
    put_rows(d_i, {c.d_i, true}, 0, c.D, this->first_d, this->width, t, steps);
  }

  // Into `anchors`, for each row over the columns of this warp, for each channel over its rows.
  __device__ void anchor_sums(Memory& n) const {
    if (!decays()) return;
    float* const anchor = this->anchors + this->warp * (K + D);
    const int lane = lane_of();
    float products[Tile::kDeep][Tile::kWide][2][4];
#pragma unroll
    for (int r = 0; r < Tile::kDeep; ++r)
#pragma unroll
      for (int p = 0; p < Tile::kWide; ++p)
#pragma unroll
        for (int x = 0; x < 8; ++x)
          products[r][p][x / 4][x % 4] =
              n[r][p][x / 4][x % 4] *
              number_of(
                  *this->memory.at(this->memory_row(r) + x % 4 / 2 * 8,
                                   this->memory_column(p) + x / 4 * 8 + lane % 4 * 2 + x % 2));
#pragma unroll
    for (int r = 0; r < Tile::kDeep; ++r)
#pragma unroll
      for (int below = 0; below < 2; ++below) {
        float sum = 0;
#pragma unroll
        for (int p = 0; p < Tile::kWide; ++p)
#pragma unroll
          for (int x = 0; x < 4; ++x) sum += products[r][p][x / 2][2 * below + x % 2];
        sum += __shfl_xor_sync(~0u, sum, 1);
        sum += __shfl_xor_sync(~0u, sum, 2);
        if (lane % 4 == 0) anchor[this->memory_row(r) + 8 * below] = sum;
      }
#pragma unroll
    for (int p = 0; p < Tile::kWide; ++p)
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        float sum = 0;
#pragma unroll
        for (int r = 0; r < Tile::kDeep; ++r)
          sum += products[r][p][x / 2][x % 2] + products[r][p][x / 2][2 + x % 2];
#pragma unroll
        for (int bit = 4; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
        if (lane / 4 == 0)
          anchor[K + this->memory_column(p) + x / 2 * 8 + lane % 4 * 2 + x % 2] = sum;
      }
  }
  // Of row or channel n, from the warps that have a part of it.
  __device__ float anchor_of_row(int k) const {
    float sum = 0;
    for (int w = k / 16 % Tile::kDown; w < kChunkWarps; w += Tile::kDown)
      sum += this->anchors[w * (K + D) + k];
    return sum;
  }
  __device__ float anchor_of_channel(int d) const {
    float sum = 0;
    for (int w = 0; w < Tile::kDown; ++w)
      sum += this->anchors[(d / 16 / Tile::kWide * Tile::kDown + w) * (K + D) + K + d];
    return sum;
  }

  // From the changes: the gradient of log_k.
  __device__ void row_gate_gradient(int t, int steps) const {
    const int k = this->thread;
    if (k < K) {
      float g = anchor_of_row(k);
      for (int row = 0; row < steps; ++row) {
        float* const at = change(row, k);
        const float after = g + *at;
        if (c.one_log_k)
          *at = g;
        else
          put_gate(c.d_log_k, t + row, k, c.K, g);
        g = after;
      }
    }
    if (!c.one_log_k) return;
    __syncthreads();
    for (int row = this->warp; row < steps; row += kChunkWarps) {
      float sum = 0;
      for (int n = lane_of(); n < K; n += 32) sum += *change(row, n);
#pragma unroll
      for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
      if (lane_of() == 0) put_gate(c.d_log_k, t + row, 0, 1, sum);
    }
  }
  __device__ void put_gate(const ScanOutputCuda& to, int t, int column, int width, float x) const {
    if (to.data == nullptr || column >= width) return;
    const long long at =
        (static_cast<long long>(this->tile) * c.B * c.T + this->step(t)) * width + column;
    if (to.final)
      put(static_cast<T*>(to.data) + at, x);
    else
      static_cast<float*>(to.data)[at] = x;
  }
  // From i d_i: the gradient of log_d.
  __device__ void channel_gate_gradient(int t, int steps) const {
    const int d = this->column_d();
    if (d < 0 || d >= this->width || c.d_log_d == nullptr) return;
    float g = anchor_of_channel(d);
    for (int row = 0; row < steps; ++row) {
      const long long at = this->step(t + row) * c.D + this->first_d + d;
      const float d_y = number_of(*this->d_y.at(row, d)) / number_of(*this->log_d.at(row, d));
      put(static_cast<T*>(c.d_log_d) + at, g);
      g += *change(row, d) - number_of(static_cast<const T*>(c.y)[at]) * d_y;
    }
  }

  // A chunk from its staged rows and the memory before it: n becomes the gradient of that memory.
  __device__ void chunk(Memory& m, Memory& n, int t, ChunkSpan span, int count) const {
    this->decay(span.anchor, span.steps, count);
    __syncthreads();
    this->scale(m, this->in);
    this->stash(m, this->memory);
    this->scale(n, this->out);
    this->stash(n, this->d_memory);
    __syncthreads();
    this->add_outer(n, this->s, this->d_y);
    anchor_sums(n);
    this->scale(n, this->in);
    shrink_gradient(t, span.steps);
    expand_gradient(t, span.steps);
    ChannelSums d_i = {};
    input_gradient(d_i, t, span.steps);
    if (this->decays_k()) {
      __syncthreads();
      row_gate_gradient(t, span.steps);
    }
    if (this->decays_d()) {
      __syncthreads();
      each_of_rows(d_i, [&](float& x, int row, int d) { *change(row, d) = x; });
      __syncthreads();
      channel_gate_gradient(t, span.steps);
    }
    __syncthreads();
  }
};

template <class T, int K, int D>
__device__ void chunk_backward(const ChunkCuda& given) {
  using Tile = ChunkBackward<T, K, D>;
  const Tile tile(given);
  const ChunkCuda& c = tile.c;
  const int chunks = (c.T + kChunkRows - 1) / kChunkRows;
  typename Tile::Memory m, n;
  tile.load(c.first, tile.b, n);
  for (int block = chunks - 1; block >= 0; --block) {
    const int t = block * kChunkRows, count = min(kChunkRows, c.T - t);
    const auto* const kept = static_cast<const T*>(c.kept);
    const long long copy = static_cast<long long>(tile.b) * chunks + block;
    // The last chunk of those that are left, which is all of them but where decays are strong.
    for (int left = count; left > 0;) {
      tile.stage_all(t, left);
      __syncthreads();
      int from = 0;
      ChunkSpan span = tile.span(0, left);
      while (from + span.steps < left) {
        from += span.steps;
        span = tile.span(from, left);
      }
      tile.load(kept, copy, m);
      if (from > 0) {  // the memory before it
        tile.stage_all(t, from);
        __syncthreads();
        tile.decay(from - 1, from, from);
        __syncthreads();
        tile.scale(m, tile.in);
        tile.add_outer(m, tile.e, tile.i);
        __syncthreads();
        tile.stage_all(t + from, left - from);
        __syncthreads();
      }
      tile.chunk(m, n, t + from, {span.anchor - from, span.steps}, left - from);
      left = from;
    }
  }
  tile.store(n, c.last, tile.b);
}

}  // namespace lcsm
