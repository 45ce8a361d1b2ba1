// Backward: chunk by chunk from the last, with the gradient of the memory in registers. S, E, I and
// Y (d_y) are scaled rows, M is the scaled memory before the chunk and N the scaled gradient of the
// memory after it:
//
//   Q = Y I^T   d_S = Q E + Y M^T   d_E = Q^T S + I N^T   d_I = (S E^T)^T Y + E N   N' = N + S^T Y
//
// In the scores Q and S E^T of two steps t, u, those with u later than t are 0.
#pragma once

#include "lcsm/cuda/chunk/chunk_gates_cuda.cuh"

namespace lcsm {

template <class T, int K, int D>
struct ChunkBackward : ChunkGates<T, K, D> {
  using Tile = ChunkGates<T, K, D>;
  using Tile::c;
  using Tile::change;
  using typename Tile::Memory;
  static constexpr int kPart = K == 32 || sizeof(T) == 4 ? 32 : 64;  // rows of the memory at a time
  using RowSums = Sum[kPart / 16];
  using ChannelSums = Sum[D / 16];

  __device__ explicit ChunkBackward(const ChunkCuda& given, int skipped = 0)
      : Tile(given, skipped) {}

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
          put_columns(valid ? static_cast<T*>(to.data) + at : nullptr, 16 * p, width, N, sums[p],
                      below);
        else
          put_columns(valid ? static_cast<float*>(to.data) + at : nullptr, 16 * p, width, N,
                      sums[p], below);
    }
  }

  // False if m before a step, or its gradient, is 0.
  __device__ bool entered(int t) const { return t > 0 || c.enters; }
  __device__ bool left(int t) const { return t < c.T || c.leaves; }

  __device__ void shrink_gradient(int t, int steps) const {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kUntil, D>(scores, this->d_y, this->warp, this->i);
#pragma unroll 1
    for (int first = 0; first < K; first += kPart) {
      RowSums d_s = {};
      add_scored<Half::kUntil>(d_s, scores, this->warp, this->e, first);
      if (entered(t))
        add_product<false, false, D>(d_s, this->d_y, 16 * this->warp, this->memory, first);
      if (this->decays_k()) {
        this->each_of_rows(d_s, [&](float2& x, int row, int column) {
          const int k = first + column;
          const float2 s = two_of(this->s.at(row, k)), w = two_of(this->log_k.at(row, k));
          put_two(change(row, k), {-s.x * x.x, -s.y * x.y});
          x = {x.x * w.x, x.y * w.y};
        });
      }
      put_rows(d_s, c.d_s, this->tile, c.K, first, c.K - first, t, steps);
    }
  }
  __device__ void expand_gradient(int t, int steps) const {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kFrom, D>(scores, this->i, this->warp, this->d_y);
#pragma unroll 1
    for (int first = 0; first < K; first += kPart) {
      RowSums d_e = {};
      add_scored<Half::kFrom>(d_e, scores, this->warp, this->s, first);
      if (left(t + steps))
        add_product<false, false, D>(d_e, this->i, 16 * this->warp, this->d_memory, first);
      if (this->decays_k())
        this->each_of_rows(d_e, [&](float2& x, int row, int column) {
          const int k = first + column;
          const float2 e = two_of(this->e.at(row, k)), w = two_of(this->log_k.at(row, k)),
                       g = two_of(change(row, k));
          put_two(change(row, k), {g.x + e.x * x.x, g.y + e.y * x.y});
          if (row < steps) x = {x.x / w.x, x.y / w.y};
        });
      put_rows(d_e, c.d_e, this->tile, c.K, first, c.K - first, t, steps);
    }
  }
  // Keeps i d_i, for the gradient of log_d, in d_i.
  __device__ void input_gradient(ChannelSums& d_i, int t, int steps) const {
    Sum scores[kChunkWarps] = {};
    add_scores<Half::kFrom, K>(scores, this->e, this->warp, this->s);
    add_scored<Half::kFrom>(d_i, scores, this->warp, this->d_y, 0);
    if (left(t + steps))
      add_product<false, true, K>(d_i, this->e, 16 * this->warp, this->d_memory, 0);
    if (!this->decays_d()) return put_inputs(d_i, t, steps);
    ChannelSums unscaled;
#pragma unroll
    for (int n = 0; n < D / 2; ++n)
      unscaled[n / 8][n / 4 % 2][n % 4] = d_i[n / 8][n / 4 % 2][n % 4];
    this->each_of_rows(unscaled, [&](float2& x, int row, int d) {
      const float2 w = two_of(this->log_d.at(row, d));
      if (row < steps) x = {x.x / w.x, x.y / w.y};
    });
    this->each_of_rows(d_i, [&](float2& x, int row, int d) {
      const float2 i = two_of(this->i.at(row, d));
      x = {x.x * i.x, x.y * i.y};
    });
    put_inputs(unscaled, t, steps);
  }
  __device__ void put_inputs(const ChannelSums& d_i, int t, int steps) const {
    put_rows(d_i, {c.d_i, true}, 0, c.D, this->first_d, this->width, t, steps);
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
    if (entered(t) || c.last) this->add_outer(n, this->s, this->d_y);
    this->anchor_sums(n);
    this->scale(n, this->in);
    shrink_gradient(t, span.steps);
    expand_gradient(t, span.steps);
    ChannelSums d_i = {};
    input_gradient(d_i, t, span.steps);
    if (this->decays_k()) {
      __syncthreads();
      this->row_gate_gradient(t, span.steps);
    }
    if (this->decays_d()) {
      __syncthreads();
      this->each_of_rows(d_i, [&](float2& x, int row, int d) { put_two(change(row, d), x); });
      __syncthreads();
      this->channel_gate_gradient(t, span.steps);
    }
    __syncthreads();
  }
};

template <class T, int K>
__device__ void chunk_backward(const ChunkCuda& given) {
  constexpr int D = chunk_channels(K, ChunkPass::kBackward);
  using Tile = ChunkBackward<T, K, D>;
  const Tile tile(given);
  const ChunkCuda& c = tile.c;
  const int chunks = chunk_kept(c.T, c.enters), skipped = c.enters ? 0 : 1;
  typename Tile::Memory m, n;
  tile.load(c.first, n);
  for (int t = (tile.end - 1) / kChunkRows * kChunkRows; t >= tile.begin; t -= kChunkRows) {
    const int count = min(kChunkRows, tile.end - t);
    const T* const kept =
        static_cast<const T*>(c.kept) +
        (static_cast<long long>(tile.b) * chunks + t / kChunkRows - skipped) * c.K * c.D +
        tile.first_d;
    // The last chunk of the remaining rows; all of them, unless decays are strong.
    for (int left = count; left > 0;) {
      tile.template stage<K>(tile.memory, kept, c.D, tile.width, tile.entered(t) ? c.K : 0);
      tile.stage_all(t, left);
      __syncthreads();
      tile.recall(m, tile.memory);
      int from = 0;
      ChunkSpan span = tile.span(0, left);
      while (from + span.steps < left) {
        from += span.steps;
        span = tile.span(from, left);
      }
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
  if (tile.begin == 0) tile.store(n, c.last, tile.b);
}

}  // namespace lcsm
