// The gradient of the gate. Let g_t be the gradient of log_k. At a chunk's first step g is the sum
// over d of the memory before the chunk times its gradient; then
//
//   g_(t+1) = g_t - s_t d_s_t + e_t d_e_t
//
// The gradient h_t of log_d begins with the sum over k; then
//
//   h_(t+1) = h_t - y_t d_y_t + i_t d_i_t
#pragma once

#include "lcsm/cuda/chunk/chunk_decays_cuda.cuh"

namespace lcsm {

template <class T, int K, int D>
struct ChunkGates : ChunkDecays<T, K, D, ChunkPass::kBackward> {
  using Tile = ChunkDecays<T, K, D, ChunkPass::kBackward>;
  using Tile::c;
  using typename Tile::Memory;

  __device__ explicit ChunkGates(const ChunkCuda& given, int skipped = 0) : Tile(given, skipped) {}

  // Differences whose running sum is the gradient of the gate.
  __device__ float* change(int row, int column) const {
    return Matrix<float, K>{this->sums}.at(row, column);
  }

  // Sums the memory times its gradient into `anchors`: for each row over this warp's columns, for
  // each channel over its rows.
  __device__ void anchor_sums(Memory& n) const {
    if (!this->decays()) return;
    float* const anchor = this->anchors + this->warp * (K + D);
    const int lane = lane_of();
    Memory products;
    this->recall(products, this->memory);
#pragma unroll
    for (int x = 0; x < Tile::kDeep * Tile::kWide * 8; ++x)
      products[x / 8 / Tile::kWide][x / 8 % Tile::kWide][x / 4 % 2][x % 4] *=
          n[x / 8 / Tile::kWide][x / 8 % Tile::kWide][x / 4 % 2][x % 4];
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
  // The sum of a row or a channel, from the warps that have a part of it.
  __device__ float anchor_of_row(int k) const {
    float sum = 0;
    for (int w = k / 16 % Tile::kDown; w < Tile::kWarps; w += Tile::kDown)
      sum += this->anchors[w * (K + D) + k];
    return sum;
  }
  __device__ float anchor_of_channel(int d) const {
    float sum = 0;
    for (int w = 0; w < Tile::kDown; ++w)
      sum += this->anchors[(d / 16 / Tile::kWide * Tile::kDown + w) * (K + D) + K + d];
    return sum;
  }

  // This lane's rows of a chunk: differences whose running sum is the gradient of one decay a step.
  struct Change {
    float above = 0, below = 0;
    __device__ void add(int row, float2 x, float2 d_x, float sign) {
      (row & 8 ? below : above) += sign * (x.x * d_x.x + x.y * d_x.y);
    }
    // Sums over the lanes of a row, and stores.
    __device__ void put(float* changes, int row) {
#pragma unroll
      for (int bit = 1; bit < 4; bit *= 2) {
        above += __shfl_xor_sync(~0u, above, bit);
        below += __shfl_xor_sync(~0u, below, bit);
      }
      if (lane_of() % 4 == 0) changes[row] = above, changes[row + 8] = below;
    }
  };
  // Computes the gradient of log_k from the changes.
  __device__ void row_gate_gradient(int t, int steps) const {
    const int k = this->thread;
    if (k < K) {
      float g = anchor_of_row(k);
      for (int row = 0; row < steps; ++row) {
        float* const at = change(row, k);
        const float after = g + *at;
        if (c.one_log_k)
          *at = g;
        else if (k < c.K)
          put_gate(c.d_log_k, t + row, k, c.K, of_open(c.log_k, t + row, k, g));
        g = after;
      }
    }
    if (!c.one_log_k) return;
    __syncthreads();
    for (int row = this->warp; row < steps; row += Tile::kWarps) {
      float sum = 0;
      for (int n = lane_of(); n < K; n += 32) sum += *change(row, n);
#pragma unroll
      for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
      if (lane_of() == 0) put_gate(c.d_log_k, t + row, 0, 1, of_open(c.log_k, t + row, 0, sum));
    }
  }
  // Returns g, or 0 if the gate is closed. Reads log o from global memory, since scales have
  // replaced it in shared memory.
  __device__ float of_open(const ChunkInputCuda& log, int t, int column, float g) const {
    const T* const row = static_cast<const T*>(log.data) + this->b * log.b + t * log.t;
    return number_of(row[column]) < kClosedGate ? 0 : g;
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
  // Computes the gradient of log_d from i d_i.
  __device__ void channel_gate_gradient(int t, int steps) const {
    const int d = this->column_d();
    if (d < 0 || d >= this->width || c.d_log_d == nullptr) return;
    float g = anchor_of_channel(d);
    for (int row = 0; row < steps; ++row) {
      const long long at = this->step(t + row) * c.D + this->first_d + d;
      const float d_y = number_of(*this->d_y.at(row, d)) / number_of(*this->log_d.at(row, d));
      put(static_cast<T*>(c.d_log_d) + at, of_open(c.log_d, t + row, this->first_d + d, g));
      g += *change(row, d) - number_of(static_cast<const T*>(c.y)[at]) * d_y;
    }
  }
};

}  // namespace lcsm
