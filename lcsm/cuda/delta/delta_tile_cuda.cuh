// Forward and backward of the delta rule share this tile. It adds rows of v, decays between steps
// and the system of a chunk to the tile of the chunked recurrence.
//
// A step has one decay, so a product of two rows is scaled by the decay between their steps. It is
// at most 1: chunks are never divided.
#pragma once

#include "lcsm/cuda/chunk/chunk_decays_cuda.cuh"
#include "lcsm/cuda/delta/delta_cuda.h"
#include "lcsm/cuda/delta/delta_solve_cuda.cuh"

namespace lcsm {

template <class T, int K, int D, class Tile>
struct DeltaTile : Tile {
  using Tile::c;
  using Tile::thread;
  using Tile::warp;

  const DeltaCuda& delta;
  Matrix<T, K> v;
  Triangle system;
  Matrix<float, D> right;  // the right side of the system, then its solution
  Matrix<T, D> solved;     // the solution, or its negative, as an operand
  float2* log;             // [kChunkRows]: the sum of log_a until each step, in two parts
  float *changes, *parts;  // [kChunkRows], [kChunkWarps]: of the gradient of log_a

  __device__ explicit DeltaTile(const DeltaCuda& given, int skipped = 0)
      : Tile(given.chunk, skipped), delta(given) {
    char* free = reinterpret_cast<char*>(this->anchors);
    v = take<T, kChunkRows, K>(free);
    system = take<float, kChunkRows, kChunkRows>(free);
    constexpr bool kSame = sizeof(T) == sizeof(float);
    if (Tile::kBackward) {
      right = take<float, kChunkRows, D>(free);
      solved =
          kSame ? Matrix<T, D>{reinterpret_cast<T*>(right.data)} : take<T, kChunkRows, D>(free);
    } else {
      solved = this->i;
      right = kSame ? Matrix<float, D>{reinterpret_cast<float*>(solved.data)}
                    : take<float, kChunkRows, D>(free);
    }
    log = reinterpret_cast<float2*>(free);
    changes = reinterpret_cast<float*>(log + kChunkRows);
    parts = changes + kChunkRows;
  }
  __device__ bool decays() const { return delta.log_a.data != nullptr; }

  // Stages the rows and decays of a chunk; for ends only the rows that it needs. Steps after the
  // last one are 0.
  template <bool kEnds>
  __device__ void stage_chunk(int t, int count) const {
    if (decays() && warp == 0) {
      const ChunkInputCuda& input = delta.log_a;
      const T* const logs = static_cast<const T*>(input.data) + this->b * input.b + t * input.t;
      running_sums([&](int n) { return n < count ? number_of(logs[n * input.t]) : 0.0f; },
                   [&](int n, float2 sum) { log[n] = sum; });
    }
    this->stage(v, delta.v, 0, c.K, t, count);
    if (kEnds)
      stage_ends(t, count);
    else
      this->stage_all(t, count);
    __syncthreads();
  }
  __device__ void stage_ends(int t, int count) const {
    const int width = c.enters ? 0 : this->width;
    this->stage(this->e, c.e, 0, c.K, t, count);
    if (Tile::kBackward) {
      this->stage(this->s, c.s, 0, c.K, t, count);
      this->stage(this->d_y, c.d_y, this->first_d, width, t, count);
    } else {
      this->stage(this->i, c.i, this->first_d, width, t, count);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
  }
  // The memory that the walk over a segment begins with: 0, or the identity.
  template <class Memory>
  __device__ void start_ends(Memory& m) const {
    this->each(m, [&](float2& x, int k, int d) {
      const int column = this->first_d + d;
      x = {c.enters && k == column ? 1.0f : 0.0f, c.enters && k == column + 1 ? 1.0f : 0.0f};
    });
  }
  template <class Memory>
  __device__ void store_ends(const Memory& m) const {
    this->store(m, delta.ends, static_cast<long long>(this->b) * gridDim.y + blockIdx.y);
  }
  // The decay between two steps, since the chunk began, and until it ends.
  __device__ float left_between(int earlier, int later) const {
    const float2 from = log[earlier], to = log[later];
    return expf(to.x - from.x + (to.y - from.y));
  }
  __device__ float left_since(int row) const {
    return decays() ? expf(log[row].x + log[row].y) : 1.0f;
  }
  __device__ float left_until_end(int row) const {
    return decays() ? left_between(row, kChunkRows - 1) : 1.0f;
  }
  template <int kPairs>
  __device__ void scale_since(Sum (&sums)[kPairs]) const {
    if (!decays()) return;
    this->each_of_rows(sums, [&](float2& x, int row, int) {
      const float w = left_since(row);
      x = {x.x * w, x.y * w};
    });
  }
  // Multiplies each row in shared memory by by(row).
  template <int W, class By>
  __device__ void scale_rows(const Matrix<T, W>& rows, const By& by) const {
    for (int n = thread; n < kChunkRows * W; n += kChunkThreads)
      multiply(rows.at(n / W, n % W), by(n / W));
  }

  // a b^T, each product times the decay between its steps. Without kSelf that of a step with itself
  // is 0.
  template <Half half, bool kSelf, int depth, int W>
  __device__ void scores_of(Sum (&scores)[kChunkWarps], const Matrix<T, W>& a,
                            const Matrix<T, W>& b) const {
    add_scores<half, depth>(scores, a, warp, b);
    if (kSelf && !decays()) return;
    this->each_of_rows(scores, [&](float2& x, int row, int column) {
      if (!kSelf && column == row) x.x = 0;
      if (!kSelf && column + 1 == row) x.y = 0;
      if (!decays()) return;
      x.x *= left_between(min(row, column), max(row, column));
      x.y *= left_between(min(row, column + 1), max(row, column + 1));
    });
  }
  // Called by all threads.
  template <bool transposed>
  __device__ void solve_system() const {
    Sum l[kChunkWarps] = {};
    scores_of<Half::kUntil, false, K>(l, v, this->e);
    this->each_of_rows(l,
                       [&](float2& x, int row, int column) { put_two(system.at(row, column), x); });
    __syncwarp();
    invert_diagonal(system, warp);
    __syncthreads();
    solve<transposed>(system, right, warp);
    __syncthreads();
  }
  // Stores the solution in memory, and the solution times `sign` as an operand.
  __device__ void put_solved(void* to, float sign, int t, int count) const {
    for (int n = thread; n < kChunkRows * D; n += kChunkThreads) {
      const int row = n / D, d = n % D;
      const float x = *right.at(row, d);
      if (to && row < count && d < this->width)
        put(static_cast<T*>(to) + this->step(t + row) * c.D + this->first_d + d, x);
      put(solved.at(row, d), sign * x);
    }
    __syncthreads();
  }
};

}  // namespace lcsm
