// A block of a pass: its shared memory, and the tables of its channels.
#pragma once

#include "lcsm/cuda/modes/products_operands_cuda.cuh"

namespace lcsm {

template <class T, int parts, ProductsPass pass>
struct ProductsTile {
  static constexpr int kParts = parts;
  static constexpr bool kBackward = pass == ProductsPass::kBackward;
  static constexpr int kChannels = products_channels(sizeof(T) == 2), kThreads = 32 * kChannels;
  static constexpr int kPerWord = 4 / sizeof(T), kWide = 16 / sizeof(T);  // steps; channels
  static constexpr int kWords = kProductsTile / kPerWord;                 // of a channel
  static constexpr int kGap = products_gap(sizeof(T) == 2);

  const ModesProductsCuda& s;
  const int thread, lane, channel, b, first_d, d;  // a warp is a channel
  const bool inside;
  const int pairs, rows, tiles, first, last;
  float* const space;

  __device__ explicit ProductsTile(const ModesProductsCuda& given)
      : s(given),
        thread(threadIdx.x),
        lane(thread % 32),
        channel(thread / 32),
        b(blockIdx.z),
        first_d(static_cast<int>(blockIdx.x) * kChannels),
        d(first_d + channel),
        inside(d < given.D),
        pairs(products_pairs(given.N, kParts)),
        rows(given.N * kParts),
        tiles(products_tiles(given.T)),
        first(static_cast<int>(blockIdx.y) * given.segment),
        last(min(tiles, first + given.segment)),
        space(shared()) {}
  // Volatile, so that what depends on it is computed again and not kept in registers, which would
  // spill.
  __device__ static int thread_now() {
    int thread;
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    return thread;
  }
  __device__ static float* shared() {
    extern __shared__ __align__(128) float of_block[];
    return of_block;
  }
  __device__ int length(int tile) const { return min(s.T - tile * kProductsTile, kProductsTile); }

  // ----- Shared memory -----
  __device__ Chunks<T, kProductsSteps> chunks(int which, int of_channel) const {
    float* const tile = space + which * products_tile_words();
    return {reinterpret_cast<T*>(tile + of_channel * kWords + of_channel / kWide * 16)};
  }
  __device__ Chunks<T, kProductsSteps> x() const { return chunks(0, channel); }
  __device__ Chunks<T, kProductsSteps> d_y() const { return chunks(1, channel); }
  __device__ float* tables() const { return space + (kBackward ? 2 : 1) * products_tile_words(); }
  __device__ Powers<T> powers() const {
    return Powers<T>(tables() + channel * 2 * pairs * kProductsSteps / kPerWord);
  }
  // A pair's q^32 and w.
  __device__ float4& factors(int pair) const {
    float* const all = tables() + kChannels * 2 * pairs * kProductsSteps / kPerWord;
    return reinterpret_cast<float4*>(all)[channel * pairs + pair];
  }
  // Exact q^512 minus its product of rounded powers of q^32.
  __device__ float2& drift(int pair) const {
    return reinterpret_cast<float2*>(&factors(0) +
                                     (kChannels - channel) * pairs)[channel * pairs + pair];
  }
  // 32 q^31, for the gradient of q.
  __device__ float2& slope(int pair) const { return (&drift(pair))[kChannels * pairs]; }
  __device__ float* taps() const {
    return reinterpret_cast<float*>(&slope(0) + (kChannels - channel) * pairs) +
           channel * kProductsTaps;
  }
  // The states that enter the tile: u, and backward M.
  __device__ float* entering(int which, int of_channel) const {
    return taps() + (kChannels - channel) * kProductsTaps +
           (which * kChannels + of_channel) * (2 * pairs + kGap);
  }
  __device__ float2* entering_pair(int which, int pair) const {
    return reinterpret_cast<float2*>(entering(which, channel)) + pair;
  }
  // Backward: sums of lags for each lane; sums for each group of pairs, one of each lane.
  __device__ float4* lags(int half, int of_lane) const {
    return reinterpret_cast<float4*>(entering(2, 0)) + (channel * 2 + half) * 32 +
           (of_lane ^ of_lane / 8);
  }
  __device__ float* sums(int of_channel) const {
    return entering(2, 0) + kChannels * 256 + of_channel * (4 * pairs + kGap);
  }

  // ----- Tables -----
  __device__ double2 pair_at(const double* from, int pair, int d) const {
    const auto at = [&](int mode) { return static_cast<long long>(mode) * s.D + d; };
    const int modes = d < s.D ? s.N : 0;
    if (kParts == 2)
      return pair < modes ? reinterpret_cast<const double2*>(from)[at(pair)] : double2{};
    return {2 * pair < modes ? from[at(2 * pair)] : 0.0,
            2 * pair + 1 < modes ? from[at(2 * pair + 1)] : 0.0};
  }
  // A lane's pair of this warp's channel.
  __device__ double2 pair(const double* from) const { return pair_at(from, lane, d); }
  // The same, read for all warps in whole sectors, through the space of the powers.
  __device__ double2 shared_pair(const double* from) const {
    double2* const all = reinterpret_cast<double2*>(tables());
    __syncthreads();
    for (int n = thread; n < kChannels * pairs; n += kThreads)
      all[n % kChannels * (pairs + 1) + n / kChannels] =
          pair_at(from, n / kChannels, first_d + n % kChannels);
    __syncthreads();
    return lane < pairs ? all[channel * (pairs + 1) + lane] : double2{};
  }

  // Fills the tables: each warp for its channel, each lane a pair. Uses the space of x before x is
  // there.
  __device__ void prepare() const {
    const double2 q = shared_pair(s.q), c = shared_pair(s.c);
    __syncthreads();
    const double2 w = s.late ? c : pair_product<kParts>(q, c);
    float* const all = sizeof(T) == 4 ? taps() : reinterpret_cast<float*>(x().data);
    const double2 q2 = pair_product<kParts>(q, q), q8 = pair_squared<kParts>(q2, 2);
    double2 even = pair_power<kParts>(q, 0);
#pragma unroll 1
    for (int unit = 0; unit < 4; ++unit) {
      float a[8], b[8], lags[8];
      double2 power = even;
#pragma unroll
      for (int n = 0; n < 8; ++n) {
        const double2 now = n % 2 == 0 ? power : pair_product<kParts>(power, q);
        a[n] = static_cast<float>(now.x), b[n] = static_cast<float>(now.y);
        lags[n] = pair_read<kParts>(w, now);
        if (n % 2 == 1) power = pair_product<kParts>(power, q8);
      }
      if (lane < pairs) {
        const bool turns = lane / 4 % 2 == 1;  // every other four lanes: no two meet in a bank
#pragma unroll
        for (int n = 0; n < 8; ++n) {
          const float first = turns ? b[n] : a[n];
          b[n] = turns ? a[n] : b[n];
          a[n] = first;
        }
        put_places(powers(), 2 * lane + (turns ? 1 : 0), 8 * unit, a);
        put_places(powers(), 2 * lane + (turns ? 0 : 1), 8 * unit, b);
      }
      const float lag = over_quads(sum_apart(lags));
      if (lane % 4 == 0) all[kProductsSteps + lane / 8 * 8 + 2 * unit + lane / 4 % 2] = lag;
      even = pair_product<kParts>(even, q2);
    }
    if (lane < pairs) put_factors(q, w);
    float direct = s.late ? 0.0f : static_cast<float>(kParts == 1 ? c.x + c.y : c.x);
    for (int mask = 16; mask > 2; mask /= 2) direct += __shfl_xor_sync(~0u, direct, mask);
    direct = over_quads(direct) + (s.shortcut && inside ? s.shortcut[d] : 0.0f);
    all[lane] = lane < kProductsSteps - 1 ? 0.0f : direct;
    __syncwarp();
    if (sizeof(T) == 2) pack_taps(all);
  }
  __device__ static float over_quads(float x) {
    x += __shfl_xor_sync(~0u, x, 2);
    return x + __shfl_xor_sync(~0u, x, 1);
  }
  __device__ void put_factors(const double2& q, const double2& w) const {
    const double2 q_chunk = pair_squared<kParts>(q, 5), exact = pair_squared<kParts>(q_chunk, 4);
    const float2 one = narrow(q_chunk), weight = narrow(w);
    const WalkPowers<kParts> used(one);
    double2 over_all = pair_product<kParts>(wide(used.two), wide(used.two));
    over_all = pair_product<kParts>(over_all, wide(used.four));
    over_all = pair_product<kParts>(over_all, wide(used.eight));
    factors(lane) = {one.x, one.y, weight.x, weight.y};
    drift(lane) = narrow({exact.x - over_all.x, exact.y - over_all.y});
    if (!kBackward) return;
    const double2 of_last = pair_power<kParts>(q, kProductsSteps - 1);
    slope(lane) = narrow({kProductsSteps * of_last.x, kProductsSteps * of_last.y});
  }
  __device__ void pack_taps(const float* all) const {
    unsigned* const two = reinterpret_cast<unsigned*>(taps());
    two[lane] = pack(all[2 * lane], all[2 * lane + 1]);
    two[Taps<Bfloat16>::word(lane, 1)] =
        pack(all[2 * lane + 1], lane < 31 ? all[2 * lane + 2] : 0.0f);
    __syncwarp();
  }
};

}  // namespace lcsm
