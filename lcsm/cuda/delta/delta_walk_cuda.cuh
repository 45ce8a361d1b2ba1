// The two walks of the delta rule over the chunks of a sequence, after delta_systems.
#pragma once

#include "lcsm/cuda/delta/delta_steps_cuda.cuh"

namespace lcsm {

// kBack: the walk of gradients, from the last chunk to the first.
template <int K, bool kBack>
struct DeltaWalk : WalkTile<K> {
  using Tile = WalkTile<K>;
  using Tile::c;
  using Tile::D;
  using Tile::kThreads;
  using Tile::lane;
  using Tile::warp;
  using typename Tile::Memory;

  // Forward: w, first I', becomes I' - solved M; `written` is U, which adds w to the memory.
  // Backward: w, first Y', becomes Y' + solved N; `written` is V, which adds -w, and s adds d_y.
  struct Stage {
    Rows<K> s, written, solved;
    Rows<D> w, d_y;
  };
  static constexpr int kStageBytes =
      kChunkRows * (3 * Rows<K>::kBytes + (kBack ? 2 : 1) * Rows<D>::kBytes);

  const DeltaWalkCuda& given;
  const DeltaCuda& delta;
  unsigned rows_at;
  Rows<D> memory;
  Rows<D> until_end;  // forward: w times its decay until the chunk's end
  DeltaSteps steps;

  __device__ explicit DeltaWalk(const DeltaWalkCuda& g)
      : Tile(g.delta.chunk), given(g), delta(g.delta), steps{lane, g.delta.log_a.data != nullptr} {
    extern __shared__ __align__(128) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    rows_at = free;
    free += 2 * kStageBytes;
    memory = take_rows<D, K>(free);
    if (!kBack) until_end = take_rows<D>(free);
    steps.logs = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
  }

  __device__ Stage stage(int n) const {
    unsigned free = rows_at + n * kStageBytes;
    Stage at;
    at.s = take_rows<K>(free), at.written = take_rows<K>(free), at.solved = take_rows<K>(free);
    at.w = take_rows<D>(free);
    if (kBack) at.d_y = take_rows<D>(free);
    return at;
  }
  __device__ int count_of(int t) const { return min(kChunkRows, this->end - t); }
  __device__ bool is_whole(int t) const { return c.whole && count_of(t) == kChunkRows; }
  template <int W>
  __device__ void fetch_own(const Rows<W>& to, const void* from, int N, int first, int t) const {
    if (is_whole(t))
      return fetch_whole<W, kThreads>(to, from, N, static_cast<int>(this->step(t)), first);
    fetch<W, kThreads>(to, static_cast<const Bfloat16*>(from) + this->step(t) * N + first, N,
                       N - first, count_of(t));
  }
  // Fetches a chunk's rows. Returns this lane's two logarithms of its decays.
  __device__ float2 fetch_chunk(const Stage& to, int t) const {
    const int count = count_of(t), b = this->b;
    const ChunkInputCuda& written = kBack ? delta.v : c.e;
    fetch<K, kThreads>(to.s, c.s, c.T, b, t, 0, c.K, count, is_whole(t));
    fetch<K, kThreads>(to.written, written, c.T, b, t, 0, c.K, count, is_whole(t));
    fetch_own(to.solved, given.solved, c.K, 0, t);
    fetch_own(to.w, kBack ? c.d_i : delta.w, c.D, this->first_d, t);
    if (kBack)
      fetch<D, kThreads>(to.d_y, c.d_y, c.T, b, t, this->first_d, this->width, count, is_whole(t));
    return warp == 0 ? steps.load(delta.log_a, b, t, count) : float2{0, 0};
  }
  // Stores the memory from shared memory as copy `copy` of [copies, K, D].
  __device__ void keep(void* to, long long copy) const {
    if (to == nullptr) return;
#pragma unroll
    for (int row = 16 * warp; row < K; row += 16 * Tile::kWarps)
      store_some(memory, lane, row / 16,
                 static_cast<Bfloat16*>(to) + (copy * c.K + row) * c.D + this->first_d, c.D,
                 c.K - row, this->width);
  }
  __device__ void put_rows(const Rows<D>& rows, void* to, int t) const {
    store_some(rows, lane, warp,
               static_cast<Bfloat16*>(to) + this->step(t + 16 * warp) * c.D + this->first_d, c.D,
               this->end - t - 16 * warp, this->width);
  }
  __device__ void decay(Memory& m) const {
    if (!steps.decays) return;
    const float left = steps.since(kChunkRows - 1);
    this->each(m, [&](float2& x, int, int) { x = {x.x * left, x.y * left}; });
  }
  __device__ void load_block(Right<Bfloat16> (&block)[D / 16], const Rows<D>& rows, int q) const {
#pragma unroll
    for (int p = 0; p < D / 16; ++p) load_right<true>(block[p], lane, rows, 16 * p, 16 * q);
  }

  // The chunk from t on. m is the memory before it, and becomes the one before the next.
  __device__ __forceinline__ void forward(const Stage& at, Memory& m, int t, float2 logs) const {
    const bool enters = t > 0 || c.enters,
               leaves = t + kChunkRows < this->end || (this->end == c.T && c.leaves);
    if (warp == 0) steps.sum(logs);
    if (enters) this->stash(m, this->memory);
    __syncthreads();
    Sum y[D / 16] = {};
    {
      Sum erased[D / 16] = {};
      if (enters)
#pragma unroll(K == 32 ? 1 : 4)  // two of 32 rows would spill, and eight of 128
        for (int k = 0; k < K; k += 16) {
          Left<Bfloat16> s, v;
          load_left<false>(s, lane, at.s, 16 * warp, k);
          load_left<false>(v, lane, at.solved, 16 * warp, k);
#pragma unroll
          for (int p = 0; p < D / 16; ++p) {
            Right<Bfloat16> right;
            load_right<true>(right, lane, this->memory, 16 * p, k);
            multiply(erased[p], v, right);
            multiply(y[p], s, right);
          }
        }
      each_two<D>(erased, lane, warp, 0, [&](const Place& place, float2& x) {
        const float2 i = get_two(at.w, place);
        x = {i.x - x.x, i.y - x.y};
        put_two(at.w, place, x);
      });
      if (steps.decays) {
        steps.scale(erased, steps.until_end_two(warp));
        put_band(this->until_end, erased, lane, warp);
      }
    }
    if (enters && steps.decays) steps.scale(y, steps.since_two(warp));
    __syncthreads();
    if (enters) {
      const int skipped = c.enters ? 0 : 1;
      this->keep(c.kept, static_cast<long long>(this->b) * chunk_kept(c.T, c.enters) +
                             t / kChunkRows - skipped);
    }
    this->put_rows(at.w, this->delta.w, t);
    if (leaves) this->decay(m);
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Right<Bfloat16> w[D / 16];
      this->load_block(w, at.w, q);
      if (q <= warp) {
        Sum scores = {};
#pragma unroll
        for (int k = 0; k < K; k += 16) {
          Left<Bfloat16> s;
          Right<Bfloat16> e;
          load_left<false>(s, lane, at.s, 16 * warp, k);
          load_right<false>(e, lane, at.written, 16 * q, k);
          multiply(scores, s, e);
        }
        steps.template decay<Half::kUntil>(scores, warp, q, true);
        Left<Bfloat16> left;
        left_of(scores, &left);
#pragma unroll
        for (int p = 0; p < D / 16; ++p) multiply(y[p], left, w[p]);
      }
      if (!leaves) continue;
      if (steps.decays) this->load_block(w, this->until_end, q);
      this->add_outer(m, at.written, Rows<D>{steps.decays ? this->until_end.at : at.w.at}, q, w);
    }
    // Stages y in this warp's rows of s.
    constexpr int kSpace = K < D ? K : D;
    const Rows<kSpace> space{at.s.at + warp * 16 * Rows<K>::kBytes};
    Bfloat16* const to =
        static_cast<Bfloat16*>(c.to_y) + this->step(t + 16 * warp) * c.D + this->first_d;
#pragma unroll
    for (int first = 0; first < D; first += kSpace) {
      __syncwarp();
      put_band(space, reinterpret_cast<Sum(&)[kSpace / 16]>(y[first / 16]), lane, 0);
      __syncwarp();
      store_some(space, lane, 0, to + first, c.D, this->end - t - 16 * warp, this->width - first);
    }
  }
  // The chunk from t on. n is the gradient of the memory after the chunk, and becomes the gradient
  // of the memory before the chunk if it is wanted.
  __device__ __forceinline__ void reverse(const Stage& at, Memory& n, int t, float2 logs,
                                          bool wanted) const {
    const bool exists = t + kChunkRows < c.T || c.leaves;
    if (warp == 0) steps.sum(logs);
    if (exists) this->stash(n, this->memory);
    __syncthreads();
    Sum g[D / 16] = {};
    if (exists) add_product<false, true, K>(g, lane, at.solved, 16 * warp, this->memory, 0);
    each_two<D>(g, lane, warp, 0, [&](const Place& place, float2& x) {
      const float2 own = get_two(at.w, place);
      x = {x.x + own.x, x.y + own.y};
      put_two(at.w, place, x);
    });
    if (exists)
      this->keep(
          this->given.d_kept,
          static_cast<long long>(this->b) * ((c.T + kChunkRows - 1) / kChunkRows) + t / kChunkRows);
    __syncwarp();
    this->put_rows(at.w, c.d_i, t);
    if (!wanted) return;
    __syncwarp();
    const float2 since = steps.since_two(warp);
    each_two<D>(g, lane, warp, 0, [&](const Place& place, float2& x) {
      const float left = -(place.below ? since.y : since.x);
      put_two(at.w, place, {x.x * left, x.y * left});
    });
    if (steps.decays) scale_band(at.d_y, lane, warp, since);
    __syncthreads();
    this->decay(n);
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Right<Bfloat16> block[D / 16];
      this->load_block(block, at.d_y, q);
      this->add_outer(n, at.s, at.d_y, q, block);
      this->load_block(block, at.w, q);
      this->add_outer(n, at.written, at.w, q, block);
    }
  }
};

template <int K>
__device__ __forceinline__ void delta_walk(const DeltaWalkCuda& given) {
  const DeltaWalk<K, false> walk(given);
  const ChunkCuda& c = walk.c;
  typename DeltaWalk<K, false>::Memory m;
  walk.load(c.first, m);
  float2 logs = walk.fetch_chunk(walk.stage(0), walk.begin);
  int turn = 0;
  for (int t = walk.begin; t < walk.end; t += kChunkRows, turn = 1 - turn) {
    arrived();
    __syncthreads();
    const float2 own = logs;
    if (t + kChunkRows < walk.end) logs = walk.fetch_chunk(walk.stage(1 - turn), t + kChunkRows);
    walk.forward(walk.stage(turn), m, t, own);
  }
  if (walk.end == c.T) walk.store(m, c.last, walk.b);
}

template <int K>
__device__ __forceinline__ void delta_reverse(const DeltaWalkCuda& given) {
  const DeltaWalk<K, true> walk(given);
  const ChunkCuda& c = walk.c;
  typename DeltaWalk<K, true>::Memory n;
  walk.load(c.first, n);
  const int last = (walk.end - 1) / kChunkRows * kChunkRows;
  float2 logs = walk.fetch_chunk(walk.stage(0), last);
  int turn = 0;
  for (int t = last; t >= walk.begin; t -= kChunkRows, turn = 1 - turn) {
    arrived();
    __syncthreads();
    const float2 own = logs;
    if (t > walk.begin) logs = walk.fetch_chunk(walk.stage(1 - turn), t - kChunkRows);
    walk.reverse(walk.stage(turn), n, t, own, t > walk.begin || (t == 0 && c.last));
  }
  if (walk.begin == 0) walk.store(n, c.last, walk.b);
}

}  // namespace lcsm
