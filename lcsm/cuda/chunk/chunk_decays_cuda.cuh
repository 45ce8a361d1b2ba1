// Rows of a chunk, scaled by decays.
#pragma once

#include "lcsm/cuda/chunk/chunk_tile_cuda.cuh"

namespace lcsm {

template <class T>
__device__ void multiply(T* x, float by) {
  put(x, number_of(*x) * by);
}

// The step at which a chunk's scales are 1, and its number of steps.
struct ChunkSpan {
  int anchor, steps;
};

template <class T, int K, int D, ChunkPass pass>
struct ChunkDecays : ChunkTile<T, K, D, pass> {
  using Tile = ChunkTile<T, K, D, pass>;
  using Tile::c;

  __device__ explicit ChunkDecays(const ChunkCuda& given, int skipped = 0) : Tile(given, skipped) {}

  __device__ void stage_all(int t, int count) const {
    if (pass != ChunkPass::kEnds) this->stage(this->s, c.s, 0, c.K, t, count);
    this->stage(this->e, c.e, 0, c.K, t, count);
    this->stage(this->i, c.i, this->first_d, this->width, t, count);
    if (Tile::kBackward) this->stage(this->d_y, c.d_y, this->first_d, this->width, t, count);
    if (this->decays_k()) {
      if (c.one_log_k) {  // for all rows
        const T* const from =
            static_cast<const T*>(c.log_k.data) + this->b * c.log_k.b + t * c.log_k.t;
        for (int n = this->thread; n < kChunkRows * K; n += Tile::kThreads) {
          const int row = n / K;
          *this->log_k.at(row, n % K) = row < count ? from[row * c.log_k.t] : T{};
        }
      } else {
        this->stage(this->log_k, c.log_k, 0, c.K, t, count);
      }
    }
    if (this->decays_d()) this->stage(this->log_d, c.log_d, this->first_d, this->width, t, count);
    asm volatile("cp.async.wait_all;" ::: "memory");
  }

  // The columns of a thread: one of k from the first thread on, one of d from the last.
  __device__ bool has_k() const { return this->decays_k() && this->thread < K; }
  __device__ int column_d() const { return Tile::kThreads - 1 - this->thread; }
  __device__ bool has_d() const { return this->decays_d() && column_d() < D; }
  __device__ float log_k_of(int t) const { return number_of(*this->log_k.at(t, this->thread)); }
  __device__ float log_d_of(int t) const { return number_of(*this->log_d.at(t, column_d())); }

  // True if this thread's decays stay in range over steps (from, to].
  __device__ bool in_range(int from, int to) const {
    float k = 0, d = 0;
    if (has_k())
      for (int t = from + 1; t <= to; ++t) k += log_k_of(t);
    if (has_d())
      for (int t = from + 1; t <= to; ++t) d += log_d_of(t);
    const float most = this->decays_k() && this->decays_d() ? kChunkRange / 2 : kChunkRange;
    return k >= -most && d >= -most;
  }
  // The chunk that begins at row `from` of `count` staged ones. Called by all threads.
  __device__ ChunkSpan span(int from, int count) const {
    const int middle = from + (count - from) / 2;
    if (!this->decays_k() && !this->decays_d()) return {middle, count - from};
    if (__syncthreads_and(in_range(from, middle) && in_range(middle, count - 1)))
      return {middle, count - from};
    int anchor = from, end = from + 1;
    while (anchor < middle && __syncthreads_and(in_range(from, anchor + 1))) ++anchor;
    end = anchor + 1;
    while (end < count && __syncthreads_and(in_range(anchor, end))) ++end;
    return {anchor, end - from};
  }

  // Calls scale(row, w, 1 / w) for the rows of [first, last), w = the decay from the anchor to the
  // row, and leaves w in the place of the logarithms.
  template <int W, class Scale>
  __device__ void decay_column(const Matrix<T, W>& log, int column, int anchor, int first, int last,
                               float* before, float* after, const Scale& scale) const {
    const auto take_log = [&](int t) { return number_of(*log.at(t, column)); };
    const auto apply = [&](int t, float sum) {
      const float w = expf(sum);
      put(log.at(t, column), w);
      scale(t, w, expf(-sum));
    };
    float down = take_log(anchor), sum = 0;
    for (int t = anchor;; sum += take_log(t)) {
      apply(t, sum);
      if (++t == last) break;
    }
    *after = expf(sum);
    for (int t = anchor - 1; t >= first; --t) {
      const float log_t = take_log(t);
      apply(t, -down);
      down += log_t;
    }
    *before = expf(down);
  }
  // Scales the rows of a chunk, and zeroes those after it.
  __device__ void decay(int anchor, int steps, int count) const {
    if (has_k()) {
      const int n = this->thread;
      decay_column(this->log_k, n, anchor, 0, steps, this->in + n, this->out + n,
                   [&](int t, float w, float inverse) {
                     multiply(this->s.at(t, n), w);
                     multiply(this->e.at(t, n), inverse);
                   });
      for (int t = steps; t < count; ++t) *this->s.at(t, n) = *this->e.at(t, n) = T{};
    }
    if (has_d()) {
      const int n = column_d();
      decay_column(this->log_d, n, anchor, 0, steps, this->in + K + n, this->out + K + n,
                   [&](int t, float w, float inverse) {
                     multiply(this->i.at(t, n), inverse);
                     if (Tile::kBackward) multiply(this->d_y.at(t, n), w);
                   });
      for (int t = steps; t < count; ++t) {
        *this->i.at(t, n) = T{};
        if (Tile::kBackward) *this->d_y.at(t, n) = T{};
      }
    }
  }
};

}  // namespace lcsm
