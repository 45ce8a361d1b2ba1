// Backward: chunk by chunk from the last, with the gradient of the memory in registers. As e writes
// i in the chunked recurrence, u writes w. The memory is read twice: by s, with the gradient Y, and
// by v, of earlier steps only, with -G, where G is the gradient of w:
//
//   (1 + L)^T G = (S U^T)^T Y + U N    d_S = (Y W^T) U + Y M^T    d_V = -(G W^T) U - G M^T
//   d_U = (Y W^T)^T S - (G W^T)^T V + W N^T                       N' = N + S^T Y - V^T G
//
// kEnds: computes only the gradient of the memory.
#pragma once

#include "lcsm/cuda/chunk/chunk_backward_cuda.cuh"
#include "lcsm/cuda/delta/delta_tile_cuda.cuh"

namespace lcsm {

template <class T, int K, int D>
struct DeltaBackward : DeltaTile<T, K, D, ChunkBackward<T, K, D>> {
  using Tile = DeltaTile<T, K, D, ChunkBackward<T, K, D>>;
  using Tile::c;
  using Tile::delta;
  using Tile::kPart;
  using Tile::solved;
  using Tile::thread;
  using Tile::warp;
  using typename Tile::Change;
  using typename Tile::Memory;
  using typename Tile::RowSums;

  __device__ explicit DeltaBackward(const DeltaCuda& given, int skipped = 0)
      : Tile(given, skipped) {}

  // The gradients of rows a (s or v) that read the memory, from the gradients of what they read.
  template <bool kSelf>
  __device__ void read_gradient(const Matrix<T, K>& a, const Matrix<T, D>& read,
                                const ScanOutputCuda& to, Change& change, int t, int steps) const {
    Sum scores[kChunkWarps] = {};
    this->template scores_of<Half::kUntil, kSelf, D>(scores, read, this->i);
#pragma unroll 1
    for (int first = 0; first < K; first += kPart) {
      RowSums d_a = {};
      if (this->entered(t)) {
        add_product<false, false, D>(d_a, read, 16 * warp, this->memory, first);
        this->scale_since(d_a);
      }
      add_scored<Half::kUntil>(d_a, scores, warp, this->e, first);
      put_gradient(d_a, a, to, change, -1, first, t, steps);
    }
  }
  __device__ void write_gradient(Change& change, int t, int steps) const {
    Sum by_s[kChunkWarps] = {}, by_v[kChunkWarps] = {};
    this->template scores_of<Half::kFrom, true, D>(by_s, this->i, this->d_y);
    this->template scores_of<Half::kFrom, false, D>(by_v, this->i, solved);
#pragma unroll 1
    for (int first = 0; first < K; first += kPart) {
      RowSums d_u = {};
      if (this->left(t + steps)) {
        add_product<false, false, D>(d_u, this->i, 16 * warp, this->d_memory, first);
        scale_until_end(d_u);
      }
      add_scored<Half::kFrom>(d_u, by_s, warp, this->s, first);
      add_scored<Half::kFrom>(d_u, by_v, warp, this->v, first);
      put_gradient(d_u, this->e, c.d_e, change, 1, first, t, steps);
    }
  }
  __device__ void put_gradient(RowSums& d_a, const Matrix<T, K>& a, const ScanOutputCuda& to,
                               Change& change, float sign, int first, int t, int steps) const {
    if (this->decays())
      this->each_of_rows(d_a, [&](float2& x, int row, int column) {
        change.add(row, two_of(a.at(row, first + column)), x, sign);
      });
    this->put_rows(d_a, to, this->tile, c.K, first, c.K - first, t, steps);
  }
  template <int kPairs>
  __device__ void scale_until_end(Sum (&sums)[kPairs]) const {
    if (!this->decays()) return;
    this->each_of_rows(sums, [&](float2& x, int row, int) {
      const float w = this->left_until_end(row);
      x = {x.x * w, x.y * w};
    });
  }

  // The gradient of log_a. At a chunk's first step it is the sum of the memory before the chunk
  // times its gradient.
  __device__ void gate_gradient(Memory& n, Change change, int t, int steps) const {
    float sum = 0;
    this->each(n, [&](float2& x, int k, int d) {
      const float2 m = two_of(this->memory.at(k, d));
      sum += m.x * x.x + m.y * x.y;
    });
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
    if (lane_of() == 0) this->parts[warp] = sum;
    change.put(this->changes, this->score_row());
    __syncthreads();
    if (warp == 0)
      running_sums([&](int n) { return this->changes[n]; },
                   [&](int n, float2 sum) { this->changes[n] = sum.x + sum.y; });
    __syncthreads();
    if (thread >= steps) return;
    float g = thread == 0 ? 0 : this->changes[thread - 1];
#pragma unroll
    for (int w = 0; w < kChunkWarps; ++w) g += this->parts[w];
    this->put_gate(delta.d_log_a, t + thread, 0, 1, g);
  }

  // A chunk, from its staged rows, the memory before it and the gradient n of the memory after it.
  // n becomes the gradient of the memory before it.
  template <bool kEnds>
  __device__ void chunk(Memory& n, int t, int steps) const {
    {
      Sum d_w[D / 16] = {}, scores[kChunkWarps] = {};
      if (kEnds ? t + steps < this->end || c.leaves : this->left(t + steps)) {
        add_product<false, true, K>(d_w, this->e, 16 * warp, this->d_memory, 0);
        scale_until_end(d_w);
      }
      this->template scores_of<Half::kFrom, true, K>(scores, this->e, this->s);
      add_scored<Half::kFrom>(d_w, scores, warp, this->d_y, 0);
      this->each_of_rows(d_w,
                         [&](float2& x, int row, int d) { put_two(this->right.at(row, d), x); });
    }
    this->template solve_system<true>();
    this->put_solved(kEnds ? nullptr : c.d_i, -1, t, steps);
    Change change;
    if (!kEnds) {
      read_gradient<true>(this->s, this->d_y, c.d_s, change, t, steps);
      read_gradient<false>(this->v, solved, delta.d_v, change, t, steps);
      write_gradient(change, t, steps);
    }
    if (this->decays()) {
      __syncthreads();
      const auto since = [&](int row) { return this->left_since(row); };
      this->scale_rows(this->d_y, since);
      this->scale_rows(solved, since);
      const float left = this->left_since(kChunkRows - 1);
      this->each(n, [&](float2& x, int, int) { x = {x.x * left, x.y * left}; });
      __syncthreads();
    }
    if (kEnds || this->entered(t) || c.last) {
      this->add_outer(n, this->s, this->d_y);
      this->add_outer(n, this->v, solved);
    }
    if (!kEnds && this->decays()) gate_gradient(n, change, t, steps);
    __syncthreads();
  }
};

template <class T, int K, bool kEnds = false>
__device__ void delta_backward(const DeltaCuda& given) {
  constexpr int D = delta_channels(K, sizeof(T) == 2, ChunkPass::kBackward);
  using Tile = DeltaBackward<T, K, D>;
  const Tile tile(given, kEnds ? 1 : 0);
  const ChunkCuda& c = tile.c;
  const int chunks = chunk_kept(c.T, c.enters), skipped = c.enters ? 0 : 1;
  if (kEnds && tile.b >= c.B) return;
  typename Tile::Memory n;
  if (kEnds)
    tile.start_ends(n);
  else
    tile.load(c.first, n);
  for (int t = (tile.end - 1) / kChunkRows * kChunkRows; t >= tile.begin; t -= kChunkRows) {
    const int count = min(kChunkRows, tile.end - t);
    if (!kEnds) {
      const T* const kept =
          static_cast<const T*>(c.kept) +
          (static_cast<long long>(tile.b) * chunks + t / kChunkRows - skipped) * c.K * c.D +
          tile.first_d;
      tile.template stage<K>(tile.memory, kept, c.D, tile.width, tile.entered(t) ? c.K : 0);
    }
    tile.stash(n, tile.d_memory);
    tile.template stage_chunk<kEnds>(t, count);
    tile.template chunk<kEnds>(n, t, count);
  }
  if (kEnds)
    tile.store_ends(n);
  else if (tile.begin == 0)
    tile.store(n, c.last, tile.b);
}

}  // namespace lcsm
