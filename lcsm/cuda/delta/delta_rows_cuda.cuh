// The gradients of a chunk's rows, all chunks at once. M is the memory before the chunk, N the
// gradient of the memory after it, and G the gradient of w. A is the decay since the chunk began, E
// the decay until it ends. Scores are of a step and earlier ones, times the decay between them:
//
//   d_S = (Y W^T) U + A Y M^T           d_V = -(G W^T) U - A G M^T, without a step and itself
//   d_U = (Y W^T)^T S + E W N^T - (G W^T)^T V
//
// A block has one chunk. It goes over the tiles of its channels twice, first with Y, then with G.
// It has two groups of four warps. The first computes d_S and d_V, the second d_U.
//
// Let g_t be the gradient of log_a. Behind the chunk g is the sum of the memory there times its
// gradient; then
//
//   g_t = g_(t+1) + s_t d_s_t + v_t d_v_t - u_t d_u_t
#pragma once

#include "lcsm/cuda/delta/delta_steps_cuda.cuh"

namespace lcsm {

template <int kCount>
__device__ void clear(Sum (&sums)[kCount]) {
#pragma unroll
  for (int x = 0; x < kCount * 8; ++x) sums[x / 8][x / 4 % 2][x % 4] = 0;
}

template <int K>
struct DeltaRows {
  static constexpr int D = kWalkChannels, kThreads = delta_walk_threads(DeltaPart::kRows);
  static constexpr int kWarps = kThreads / 32;
  using RowSums = Sum[K / 16];
  using Scores = Sum[kChunkWarps];

  const DeltaWalkCuda& given;
  const DeltaCuda& delta;
  const ChunkCuda& c;
  const Lane lane;
  const int warp, band;
  const bool reads;           // the group of s and v
  const bool enters, leaves;  // there is a memory before the chunk, a gradient after it
  Rows<K> s, v, u;
  Rows<D> w, d_y, g, m, n;
  DeltaSteps steps;
  float *reading, *writing;  // [kChunkRows]: s d_s + v d_v, and u d_u
  float* behind;             // [kWarps]: parts of the gradient of log_a behind the chunk

  __device__ explicit DeltaRows(const DeltaWalkCuda& at)
      : given(at),
        delta(at.delta),
        c(at.delta.chunk),
        lane{static_cast<int>(threadIdx.x) % 32},
        warp(static_cast<int>(threadIdx.x) / 32),
        band(warp % kChunkWarps),
        reads(warp < kChunkWarps),
        enters(where().t > 0 || c.enters),
        leaves(where().t + kChunkRows < c.T || c.leaves),
        steps{lane, at.delta.log_a.data != nullptr} {
    extern __shared__ __align__(128) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    s = take_rows<K>(free), v = take_rows<K>(free), u = take_rows<K>(free);
    w = take_rows<D>(free), d_y = take_rows<D>(free), g = take_rows<D>(free);
    m = take_rows<D, K>(free), n = take_rows<D, K>(free);
    steps.logs = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
    reading = steps.logs + kChunkRows, writing = reading + kChunkRows;
    behind = writing + kChunkRows;
    if (lane.id == 0) behind[warp] = 0;
  }

  // The chunk of this block. Volatile, so that what depends on it is computed where it is needed
  // and not kept in registers, which would spill.
  struct Where {
    int b, t, count;
    long long step, copy;  // among all sequences
  };
  __device__ Where where() const {
    int b, chunk;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(b));
    asm volatile("mov.u32 %0, %%ctaid.y;" : "=r"(chunk));
    const int t = chunk * kChunkRows;
    return {b, t, min(kChunkRows, c.T - t), static_cast<long long>(b) * c.T + t,
            static_cast<long long>(b) * chunk_kept(c.T, true) + chunk};
  }
  __device__ bool is_whole(const Where& at) const { return c.whole && at.count == kChunkRows; }
  __device__ void fetch_memory(const Rows<D>& to, const void* from, long long copy, int first,
                               bool exists) const {
    if (c.whole && exists)
      return fetch_whole<D, kThreads, K>(to, from, c.D, static_cast<int>(copy) * K, first);
    const Bfloat16* const at = static_cast<const Bfloat16*>(from) + (exists ? copy * c.K * c.D : 0);
    fetch<D, kThreads, K>(to, at + first, c.D, min(D, c.D - first), exists ? c.K : 0);
  }
  // Fetches a tile of channels for both sweeps; then Y and N, which only the first needs, and G,
  // which only the second needs.
  __device__ void fetch_tile(int first) const {
    const Where at = where();
    fetch<D, kThreads>(w, c.i, c.T, at.b, at.t, first, min(D, c.D - first), at.count, is_whole(at));
    const int skipped = c.enters ? 0 : at.b + 1;
    fetch_memory(m, c.kept, at.copy - skipped, first, enters);
  }
  __device__ void fetch_outputs(int first) const {
    const Where at = where();
    fetch<D, kThreads>(d_y, c.d_y, c.T, at.b, at.t, first, min(D, c.D - first), at.count,
                       is_whole(at));
    fetch_memory(n, given.d_kept, at.copy, first, leaves);
  }
  __device__ void fetch_inputs(int first) const {
    const Where at = where();
    if (is_whole(at))
      return fetch_whole<D, kThreads>(g, c.d_i, c.D, static_cast<int>(at.step), first);
    fetch<D, kThreads>(g, static_cast<const Bfloat16*>(c.d_i) + at.step * c.D + first, c.D,
                       min(D, c.D - first), at.count);
  }
  __device__ bool one_tile() const { return c.D <= D; }
  __device__ void fetch_all() const {
    const Where at = where();
    fetch<K, kThreads>(s, c.s, c.T, at.b, at.t, 0, c.K, at.count, is_whole(at));
    fetch<K, kThreads>(u, c.e, c.T, at.b, at.t, 0, c.K, at.count, is_whole(at));
    fetch<K, kThreads>(v, delta.v, c.T, at.b, at.t, 0, c.K, at.count, is_whole(at));
    fetch_tile(0);
    fetch_outputs(0);
    if (one_tile()) fetch_inputs(0);
  }

  // One sweep over the channels, with Y or with G. Adds to scores, and to the sums of M or N.
  __device__ __forceinline__ void sweep(bool outputs, RowSums& sums, Scores& scores) const {
    const Rows<D> gradient{outputs ? d_y.at : g.at};
#pragma unroll 1
    for (int first = 0; first < c.D; first += D) {
      if (!one_tile() && (first > 0 || !outputs)) {
        __syncthreads();
        fetch_tile(first);
        if (outputs)
          fetch_outputs(first);
        else
          fetch_inputs(first);
        arrived();
        __syncthreads();
      }
      if (reads)
        add_scores<Half::kUntil, D>(scores, lane, gradient, band, w);
      else
        add_scores<Half::kFrom, D>(scores, lane, w, band, gradient);
      if (reads ? enters : outputs & leaves)
        add_product<false, false, D>(sums, lane, Rows<D>{reads ? gradient.at : w.at}, 16 * band,
                                     Rows<D>{reads ? m.at : n.at}, 0);
      if (outputs & steps.decays) add_memories();
    }
  }
  // Adds a warp's part of the sum of M times N, decayed over the chunk.
  __device__ void add_memories() const {
    float sum = 0;
#pragma unroll 1
    for (int at = static_cast<int>(threadIdx.x) * 16; at < K * Rows<D>::kBytes;
         at += kThreads * 16) {
      const uint4 x = get_unit(m.at + at), y = get_unit(n.at + at);
      const unsigned xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int word = 0; word < 4; ++word) {
        const float2 one = two_of(xs[word]), two = two_of(ys[word]);
        sum += one.x * two.x + one.y * two.y;
      }
    }
    add_behind(sum * steps.since(kChunkRows - 1));
  }
  __device__ void add_behind(float sum) const {
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
    if (lane.id == 0) behind[warp] += sum;
  }
  __device__ __forceinline__ void add_scores_times_rows(bool outputs, RowSums& sums,
                                                        Scores& scores) const {
    const Rows<K> rows{reads ? u.at : outputs ? s.at : v.at};
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      if (reads ? q > band : q < band) continue;
      if (reads)
        steps.template decay<Half::kUntil>(scores[q], band, q, outputs);
      else
        steps.template decay<Half::kFrom>(scores[q], band, q, outputs);
      Left<Bfloat16> scored;
      left_of(scores[q], &scored);
#pragma unroll
      for (int p = 0; p < K / 16; ++p) {
        Right<Bfloat16> right;
        load_right<true>(right, lane, rows, 16 * p, 16 * q);
        multiply(sums[p], scored, right);
      }
    }
  }
  // The dot products of this lane's two rows of `sums` with `rows`. Four lanes share a row and get
  // the same.
  __device__ float2 row_products(RowSums& sums, const Rows<K>& rows) const {
    float2 both = {0, 0};
    each_two<K>(sums, lane, band, 0, [&](const Place& place, float2& x) {
      const float2 row = get_two(rows, place);
      (place.below ? both.y : both.x) += x.x * row.x + x.y * row.y;
    });
#pragma unroll
    for (int bit = 1; bit < 4; bit *= 2) {
      both.x += __shfl_xor_sync(~0u, both.x, bit);
      both.y += __shfl_xor_sync(~0u, both.y, bit);
    }
    return both;
  }
  // Stores a band's gradients. Keeps their dot products with `rows` for the gradient of log_a.
  __device__ void finish(RowSums& sums, const Rows<K>& rows, void* to, float* changes,
                         bool adds) const {
    if (steps.decays) {
      const float2 both = row_products(sums, rows);
      const int row = 16 * band + lane.row();
      if (lane.id % 4 == 0) {
        changes[row] = adds ? changes[row] + both.x : both.x;
        changes[row + 8] = adds ? changes[row + 8] + both.y : both.y;
      }
    }
    if (to == nullptr) return;
    constexpr int kSpace = K < D ? K : D;
    const Rows<kSpace> space{(reads ? d_y.at : n.at) + band * 16 * Rows<kSpace>::kBytes};
    const Where where = this->where();
    Bfloat16* const at = static_cast<Bfloat16*>(to) + (where.step + 16 * band) * c.K;
#pragma unroll
    for (int first = 0; first < K; first += kSpace) {
      __syncwarp();
      put_band(space, reinterpret_cast<Sum(&)[kSpace / 16]>(sums[first / 16]), lane, 0);
      __syncwarp();
      store_some(space, lane, 0, at + first, c.K, where.count - 16 * band, c.K - first);
    }
  }
  // One warp calls it.
  __device__ void put_gate() const {
    float g = 0;
    for (int n = 0; n < kWarps; ++n) g += behind[n];
    const int first = 2 * lane.id;
    const float one = reading[first] - writing[first],
                two = reading[first + 1] - writing[first + 1];
    float sum = one + two;
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) {
      const float more = __shfl_down_sync(~0u, sum, bit);
      if (lane.id + bit < 32) sum += more;
    }
    const Where at = where();
    Bfloat16* const gates = static_cast<Bfloat16*>(delta.d_log_a.data) + at.step + first;
    if (first < at.count) put(gates, g + sum);
    if (first + 1 < at.count) put(gates + 1, g + sum - one);
  }
};

template <int K>
__device__ __forceinline__ void delta_rows(const DeltaWalkCuda& given) {
  using Chunk = DeltaRows<K>;
  const Chunk rows(given);
  const DeltaSteps& steps = rows.steps;
  rows.fetch_all();
  if (rows.warp == 0) {
    const auto at = rows.where();
    steps.sum(steps.load(rows.delta.log_a, at.b, at.t, at.count));
  }
  arrived();
  __syncthreads();
  typename Chunk::RowSums sums = {};
  typename Chunk::Scores scores = {};
#pragma unroll 1
  for (int turn = 0; turn < 2; ++turn) {
    const bool outputs = turn == 0;
    rows.sweep(outputs, sums, scores);
    if (steps.decays && (rows.reads || outputs))
      steps.scale(sums, rows.reads ? steps.since_two(rows.band) : steps.until_end_two(rows.band));
    if (steps.decays && outputs && !rows.reads) {
      const float2 both = rows.row_products(sums, rows.u);
      rows.add_behind(rows.lane.id % 4 == 0 ? both.x + both.y : 0);
    }
    if (!outputs) steps.scale(scores, {-1, -1});
    if (!outputs && rows.reads) steps.scale(sums, {-1, -1});
    rows.add_scores_times_rows(outputs, sums, scores);
    if (outputs) __syncthreads();  // nobody needs Y and N any more
    if (rows.reads) {
      rows.finish(sums, Rows<K>{outputs ? rows.s.at : rows.v.at},
                  outputs ? rows.c.d_s.data : rows.delta.d_v.data, rows.reading, !outputs);
      clear(sums);
    } else if (!outputs) {
      rows.finish(sums, rows.u, rows.c.d_e.data, rows.writing, false);
    }
    clear(scores);
  }
  if (!steps.decays || rows.delta.d_log_a.data == nullptr) return;
  __syncthreads();
  if (rows.warp == 0) rows.put_gate();
}

}  // namespace lcsm
