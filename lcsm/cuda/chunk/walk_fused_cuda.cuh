// walk_reverse and walk_back in one: a block goes over the chunks of a sequence, from the last to
// the first, and computes the gradients of a chunk's rows from the gradient N of the memory after
// it. So s and d_y are read once, and N stays in the block. For one tile of channels, up to 64 rows
// and no decays over channels.
#pragma once

#include "lcsm/cuda/chunk/walk_back_cuda.cuh"

namespace lcsm {

// N between two chunks. A warp has the rows of its band, and half of the channels.
template <int K, bool kDecays>
struct WalkCarried {
  static constexpr int D = kWalkChannels, kHalf = D / 2, kThreads = walk_threads(WalkPart::kFused);
  using Part = Sum[kHalf / 16];

  const ChunkCuda& c;
  const int thread;
  const Lane lane;
  const int band, first_d;

  __device__ explicit WalkCarried(const ChunkCuda& given)
      : c(given),
        thread(thread_of()),
        lane{thread % 32},
        band(thread / 32 % kChunkWarps),
        first_d(thread / 32 < kChunkWarps ? 0 : kHalf) {}

  __device__ bool has_part() const { return 16 * band < K; }

  // Behind the shared memory of walk_back: N in float32, neighbouring threads' fours beside each
  // other, then the decays of the memory until the anchor and from there on, [2, K].
  __device__ static float4* memory() {
    extern __shared__ __align__(256) char walk_memory[];
    constexpr int kBefore = walk_bytes(K, WalkPart::kRows, kDecays, false, false, LCSM_WALK_STAGES);
    return reinterpret_cast<float4*>(walk_memory + kBefore);
  }
  __device__ static float* decays() {
    return reinterpret_cast<float*>(memory() + kThreads * kHalf / 8);
  }
  __device__ void put(const Part& n) const {
#pragma unroll
    for (int x = 0; x < kHalf / 8; ++x) {
      const float* const four = n[x / 2][x % 2];
      memory()[x * kThreads + thread] = {four[0], four[1], four[2], four[3]};
    }
  }
  __device__ void get(Part& n) const {
#pragma unroll
    for (int x = 0; x < kHalf / 8; ++x) {
      const float4 four = memory()[x * kThreads + thread];
      float* const to = n[x / 2][x % 2];
      to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    }
  }
  // Calls work(number, k, d) for the numbers of this warp's part.
  template <class Work>
  __device__ void each(Part& n, const Work& work) const {
#pragma unroll
    for (int x = 0; x < kHalf / 2; ++x)
      work(n[x / 8][x / 4 % 2][x % 4], 16 * band + lane.row() + x % 4 / 2 * 8,
           first_d + x / 4 * 8 + lane.column() + x % 2);
  }
  // N after the last step: copy `copy` of [copies, K, D]; null = 0.
  __device__ void load(Part& n, const float* from, long long copy) const {
    each(n, [&](float& x, int k, int d) {
      x = from && k < c.K && d < c.D ? from[(copy * c.K + k) * c.D + d] : 0.0f;
    });
  }
  template <class To>
  __device__ void store(Part& n, To* to, long long copy) const {
    each(n, [&](float& x, int k, int d) {
      if (k < c.K && d < c.D) lcsm::put(to + (copy * c.K + k) * c.D + d, x);
    });
  }
  // Scales each row by a factor of [K].
  __device__ void scale(Part& n, const float* by) const {
    const float* const own = by + 16 * band + lane.row();
    const float above = own[0], below = own[8];
#pragma unroll
    for (int x = 0; x < kHalf / 2; ++x) n[x / 8][x / 4 % 2][x % 4] *= x % 4 < 2 ? above : below;
  }
  // n += S^T Y
  __device__ void add_outer(Part& n, const Rows<K>& s, const Rows<D>& d_y) const {
#pragma unroll
    for (int q = 0; q < kChunkWarps; ++q) {
      Left<Bfloat16> left;
      load_left<true>(left, lane, s, 16 * band, 16 * q);
#pragma unroll
      for (int p = 0; p < kHalf / 16; ++p) {
        Right<Bfloat16> right;
        load_right<true>(right, lane, d_y, first_d + 16 * p, 16 * q);
        multiply(n[p], left, right);
      }
    }
  }
  // Stores N as an operand.
  __device__ void stash(Part& n, const Rows<D>& to) const {
    each_two<D>(n, lane, band, first_d,
                [&](const Place& place, float2& x) { put_two(to, place, x); });
  }
};

template <int K, Decaying decaying>
struct WalkFused : WalkBack<K, decaying, false> {
  using Walk = WalkBack<K, decaying, false>;
  using Walk::b;
  using Walk::c;
  using Walk::kDecided;
  using Walk::t;
  using Carried = WalkCarried<K, kDecided>;
  static_assert(decaying != Decaying::kAny);

  __device__ WalkFused(const WalkBackCuda& given, int t, int thread)
      : Walk(given, thread, sequence_of(), t) {}
  // Volatile for the reason of lane_of.
  __device__ static int sequence_of() {
    int block;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    return block;
  }
  // The number of this thread, unknown to ptxas: it then computes addresses again and does not keep
  // them in registers, which would spill.
  __device__ static int thread_again() { return __shfl_sync(~0u, thread_of(), lane_of()); }

  // Stores N for the gradients of this chunk's rows, and takes it over the chunk. single: the chunk
  // takes one pass; else walk_strong computes its rows.
  __device__ __forceinline__ void carry(bool single) const {
    const auto at = this->stage(0);
    const Carried carried(c);
    if (!carried.has_part()) return;
    typename Carried::Part n;
    if (t + kChunkRows < c.T)
      carried.get(n);
    else
      carried.load(n, c.first, b);
    if (!single && this->leaves)
      carried.store(n, static_cast<Bfloat16*>(this->given.d_kept),
                    b * this->chunks + t / kChunkRows);
    if (kDecided) carried.scale(n, single ? Carried::decays() + K : this->out());
    if (single) carried.stash(n, at.n);
    if (t == 0 && c.last == nullptr) return;
    carried.add_outer(n, this->s, at.d_y);
    if (kDecided && single) carried.scale(n, Carried::decays());
    if (t > 0)
      carried.put(n);
    else
      carried.store(n, c.last, b);
  }
  __device__ __forceinline__ static void compute(const WalkBackCuda& given, int t) {
    typename Walk::Scored scored;
    typename Walk::RowSums mine = {};
    typename Walk::Scores scores = {};
    {
      const WalkFused walk(given, t, thread_again());
      walk.score_inputs(scored, {});
      walk.template tiles<Sweep::kAll>({}, scored, mine, scores);
    }
    const WalkFused walk(given, t, thread_again());
    walk.finish_rows({}, scored, mine, scores);
  }
};

template <int K, Decaying decaying>
__device__ __forceinline__ void walk_fused(const WalkBackCuda& given) {
  using Walk = WalkFused<K, decaying>;
  const ChunkCuda& c = given.chunk;
#pragma unroll 1
  for (int t = (c.T - 1) / kChunkRows * kChunkRows; t >= 0; t -= kChunkRows) {
    const Walk walk(given, t, thread_of());
    const bool single = !Walk::kDecided || !walk.strong();
    walk.begin();
    if (Walk::kDecided) walk.fetch_logs();
    walk.fetch_rows();
    walk.fetch_inputs(walk.stage(0), 0);
    arrived();
    __syncthreads();
    if constexpr (Walk::kDecided) {
      if (single)
        walk.scale_both(Walk::Carried::decays());
      else
        walk.scale_rows(WalkPass{WalkPass::Kind::kEnds});
      __syncthreads();
    }
    walk.carry(single);
    __syncthreads();
    if (single) Walk::compute(given, t);
    __syncthreads();
  }
}

}  // namespace lcsm
