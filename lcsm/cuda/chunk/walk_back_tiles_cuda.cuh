// The shared memory of a block of walk_back. It fetches and scales the rows of a chunk, and tiles
// of its channels with the memories before and behind the chunk.
#pragma once

#include "lcsm/cuda/chunk/walk_tile_cuda.cuh"

namespace lcsm {

// kMany: there may be more than one tile of channels. kDecided: walk_forward has decided that this
// chunk takes one pass, and the walks have scaled its memories.
template <int K, Decaying decaying, bool kMany>
struct WalkBackTiles {
  static constexpr bool kDecays = decaying != Decaying::kNone,
                        kChannels = decaying == Decaying::kAny,
                        kDecided = kDecays && walk_decides(kChannels, kMany),
                        kDecidedChannels = kChannels && kDecided;
  static constexpr int D = kWalkChannels, kThreads = walk_threads(WalkPart::kRows);
  static constexpr int kWarps = kThreads / 32, kHalf = D / 2;  // channels of a group

  const WalkBackCuda& given;
  const ChunkCuda& c;
  const Lane lane;
  const int warp, band;
  const bool later;  // the group of s and d_y; else of e and i
  const int chunks, b, t, count;
  const bool enters, leaves;  // whether there is a memory before the chunk, a gradient after it
  struct Stage {
    Rows<D> i, d_y, m, n, log_d;
  };
  static constexpr int kStageBytes = 2 * kChunkRows * 2 * D + 2 * K * 2 * D;
  unsigned tiles_at;
  Rows<kHalf> staged;  // d_i of each warp, 16 rows
  Rows<K> s, e;
  RowLogs<K> log_k;
  const bool straight, whole;  // memories, and the chunk's rows, are fetched without tests
  float* floats;

  // fast: fetches without tests where it can. The code for both ways takes more registers.
  __device__ WalkBackTiles(const WalkBackCuda& g, int thread, int of_sequence, int first_step,
                           bool fast = true)
      : given(g),
        c(g.chunk),
        lane{thread % 32},
        warp(thread / 32),
        band(warp % kChunkWarps),
        later(warp < kChunkWarps),
        chunks((c.T + kChunkRows - 1) / kChunkRows),
        b(of_sequence),
        t(first_step),
        count(min(kChunkRows, c.T - t)),
        enters(t > 0 || c.enters),
        leaves(t + kChunkRows < c.T || c.leaves),
        straight(fast && c.whole),
        whole(straight && count == kChunkRows) {
    extern __shared__ __align__(256) char walk_memory[];
    unsigned free = shared_of(walk_memory);
    tiles_at = free;
    free += max(stages() * stage_bytes(), decays_k() ? 2 * kChangeBytes : 0);
    staged = take_rows<kHalf, 16 * kWarps>(free);
    s = take_rows<K>(free), e = take_rows<K>(free);
    if (!kDecays) return;
    log_k.any = decays_k(), log_k.one = c.one_log_k;
    if (log_k.any) log_k.rows = take_rows<K>(free);
    floats = reinterpret_cast<float*>(walk_memory + (free - shared_of(walk_memory)));
  }
  // The chunk of this block.
  __device__ explicit WalkBackTiles(const WalkBackCuda& g, int thread, bool fast = true)
      : WalkBackTiles(g, thread, static_cast<int>(blockIdx.x),
                      static_cast<int>(blockIdx.y) * kChunkRows, fast) {}
  // Prepares sums and factors in shared memory. All threads call it, before the barrier after which
  // they are used.
  __device__ void begin() const {
    const int n = thread_of();
    if (kDecays && n < 2 * K) behind_rows()[n] = 0;
    if (!kChannels || kDecided) return;
    if (n < K + D) in()[n] = out()[n] = 1;
    forget_rows();
  }
  __device__ void forget_rows() const {
    const int n = thread_of();
    if (kChannels && !kDecided && n < K) of_rows()[n] = 0;
  }
  // Parts of the sum over d of the memory behind the chunk times its gradient, [2, K]: of each half
  // of the channels.
  __device__ float* behind_rows() const { return floats; }
  // The binary logarithms of the scales of rows, [64, K].
  static constexpr bool kKeepsLogs = kDecided && walk_keeps_logs(K, kChannels);
  __device__ float* of_logs() const { return floats + 2 * K; }
  __device__ Cells<K> logs() const { return {shared_of(of_logs())}; }
  // Unless it is decided: the decays of the memory until the anchor (in), and from there on (out),
  // [K + D].
  __device__ float* in() const { return of_logs(); }
  __device__ float* out() const { return in() + (K + D); }
  // Parts of the gradients of logarithms behind the chunk, where channels decay: unless it is
  // decided, by rows [K] of both memories and by channels [8, D] of memories by warps; by channels
  // [4, D] by bands.
  __device__ float* of_rows() const { return out() + (K + D); }
  __device__ float* of_warps() const { return of_rows() + walk_row_sums(K); }
  __device__ float* of_channels() const {
    return kDecided ? of_logs() + (kKeepsLogs ? kChunkRows * K : 0) : of_warps() + kWarps * D;
  }
  __device__ float* own_parts() const { return of_channels() + kChunkWarps * D; }
  // The changes of log_d's gradient, [64, D]; before, if it is decided, the binary logarithms of
  // the scales of channels.
  __device__ Cells<D> changes() const { return {shared_of(own_parts() + 2 * kThreads)}; }
  __device__ static char* memory_at(unsigned at) {
    extern __shared__ __align__(256) char walk_memory[];
    return walk_memory + (at - shared_of(walk_memory));
  }
  // [512], of sums over parts of the chunk.
  __device__ float* parts() const {
    return kChannels ? own_parts() : reinterpret_cast<float*>(memory_at(staged.at));
  }
  // s d_s and e d_e, [64, K], once no tile is needed.
  __device__ Cells<K> row_changes(bool of_later) const {
    return {tiles_at + (of_later ? 0 : kChangeBytes)};
  }
  static constexpr int kChangeBytes = 4 * kChunkRows * K;
  __device__ bool decays_k() const { return kDecays && (!kChannels || c.log_k.data != nullptr); }
  __device__ bool decays_d() const {  // walk_strong may have decays over rows alone
    return kChannels && (kDecided || c.log_d.data != nullptr);
  }
  __device__ int stages() const { return walk_stages(K, decays_d(), LCSM_WALK_STAGES); }
  __device__ int stage_bytes() const {
    return kStageBytes + (decays_d() ? kChunkRows * Rows<D>::kBytes : 0);
  }
  __device__ Stage stage(int n) const {
    unsigned free = tiles_at + (kMany && stages() > 1 ? n % 2 : 0) * stage_bytes();
    Stage at;
    at.i = take_rows<D>(free), at.d_y = take_rows<D>(free);
    at.m = take_rows<D, K>(free), at.n = take_rows<D, K>(free);
    at.log_d.at = free;
    return at;
  }
  __device__ bool& strong() const { return c.strong[b * chunks + t / kChunkRows]; }
  __device__ long long step(int row) const { return static_cast<long long>(b) * c.T + t + row; }

  // Fetches rows of the chunk. thread_of(), so that a loop over chunks keeps no addresses.
  template <int W>
  __device__ void fetch_chunk(const Rows<W>& to, const ChunkInputCuda& in, int first,
                              int width) const {
    fetch<W, kThreads>(to, in, c.T, b, t, first, width, count, whole, thread_of());
  }
  __device__ void fetch_rows() const { fetch_chunk(s, c.s, 0, c.K), fetch_chunk(e, c.e, 0, c.K); }
  __device__ void fetch_logs() const {
    if (!log_k.any) return;
    if (log_k.one)
      fetch_one<kThreads>(log_k.rows.at, c.log_k, b, t, count);
    else
      fetch_chunk(log_k.rows, c.log_k, 0, c.K);
  }
  __device__ void fetch_log_d(const Stage& to, int first) const {
    fetch_chunk(to.log_d, c.log_d, first, min(D, c.D - first));
  }
  __device__ void fetch_memory(const Rows<D>& to, const void* from, int copy, int first,
                               bool exists) const {
    if (straight && exists)
      return fetch_whole<D, kThreads, K>(to, from, c.D, copy * K, first, thread_of());
    const Bfloat16* const at = static_cast<const Bfloat16*>(from) +
                               (exists ? static_cast<long long>(copy) * (c.K * c.D) : 0);
    fetch<D, kThreads, K>(to, at + first, c.D, min(D, c.D - first), exists ? c.K : 0);
  }
  // Fetches a tile, but for the gradient of the memory behind the chunk.
  __device__ void fetch_inputs(const Stage& to, int first) const {
    const int width = min(D, c.D - first);
    fetch_chunk(to.i, c.i, first, width), fetch_chunk(to.d_y, c.d_y, first, width);
    const int skipped = c.enters ? 0 : 1;
    fetch_memory(to.m, c.kept, b * chunk_kept(c.T, c.enters) + t / kChunkRows - skipped, first,
                 enters);
    if (decays_d()) fetch_log_d(to, first);
  }
  __device__ void fetch_tile(const Stage& to, int first) const {
    fetch_inputs(to, first);
    fetch_memory(to.n, given.d_kept, b * chunks + t / kChunkRows, first, leaves);
  }

  // Calls work(signs) with the signs of s and d_y (of_later), or of e and i.
  template <class Work>
  __device__ void with_signs(const WalkPass& pass, bool of_later, const Work& work) const {
    if (!pass.ends())
      work(Signs<Anchor::kMiddle>(lane, band, pass.size));
    else if (of_later)
      work(Signs<Anchor::kBefore>(lane, band, 0));
    else
      work(Signs<Anchor::kEnd>(lane, band, 0));
  }
  __device__ bool fits(float range) const {
    return range <= (log_k.any && c.log_d.data ? kWalkRange / 2 : kWalkRange);
  }
  // Scales a group's rows, [64, W]. False where a scale is out of range.
  template <int W, class Logs, class First>
  __device__ bool scale_rows(const Rows<W>& rows, const WalkPass& pass, float* at,
                             const Logs& logs_of, const First& first_of) const {
    float range = 0;
    const float factor = factor_of(later ? Power::kScale : Power::kInverse);
    constexpr int kPart = W < 64 ? W : 64;
    with_signs(pass, later, [&](const auto& signs) {
#pragma unroll 1
      for (int first = 0; first < W; first += kPart) {
        Sum logs[kPart / 16];
        logs_of(logs, signs, first);
#pragma unroll
        for (int p = 0; p < kPart / 16; ++p) {
          Left<Bfloat16> own;
          load_left<false>(own, lane, rows, 16 * band, first + 16 * p);
          scale(own, logs[p], factor, !pass.whole());
          __syncwarp();
          store_left(rows, lane, band, first + 16 * p, own);
        }
        if (!pass.whole()) add_ranges(range, logs);
        if (later) keep_ends<W>(signs, logs, lane, band, first, at, at + K + D, first_of, range);
      }
    });
    return fits(range);
  }
  // This group's rows over k.
  __device__ __forceinline__ bool scale_rows(const WalkPass& pass) const {
    if (!log_k.any) return true;
    return scale_rows(
        Rows<K>{later ? s.at : e.at}, pass, in(),
        [&](auto& logs, const auto& signs, int first) {
          log_k.sums(logs, lane, signs, first, !pass.whole());
        },
        [&](const Place& place) { return log_k.first(place); });
  }
  // Scales `of_later` rows of W numbers by the decay from the anchor and `others` by the inverse,
  // each group one half of the columns. logs_of(sums, signs, column) gives the logarithms of the
  // scales; after(sums, column) sees them when they are binary.
  template <int W, class Logs, class After>
  __device__ __forceinline__ void scale_both(const Rows<W>& of_later, const Rows<W>& others,
                                             const Logs& logs_of, const After& after) const {
    constexpr int kColumns = W / 2;
    const int own = later ? 0 : kColumns;
    Sum sums[kColumns / 16];
    const Signs<Anchor::kMiddle> signs(lane, band, kChunkRows);
    logs_of(sums, signs, own);
    Left<Bfloat16> a[kColumns / 16], b[kColumns / 16];
#pragma unroll
    for (int p = 0; p < kColumns / 16; ++p) {
      load_left<false>(a[p], lane, of_later, 16 * band, own + 16 * p);
      load_left<false>(b[p], lane, others, 16 * band, own + 16 * p);
      scale(a[p], b[p], sums[p]);
    }
    __syncwarp();
#pragma unroll
    for (int p = 0; p < kColumns / 16; ++p) {
      store_left(of_later, lane, band, own + 16 * p, a[p]);
      store_left(others, lane, band, own + 16 * p, b[p]);
    }
    after(sums, own);
  }
  // Where it is decided: scales s and e. ends: null, or where the decays of the memory until the
  // anchor and from there on go, [2, K].
  __device__ __forceinline__ void scale_both(float* ends = nullptr) const {
    if (!decays_k()) return;
    scale_both(
        s, e,
        [&](auto& sums, const auto& signs, int own) {
          log_k.sums(sums, lane, signs, own, false);
          float range = 0;
          if (ends)
            keep_ends<K>(
                signs, sums, lane, band, own, ends, ends + K,
                [&](const Place& place) { return log_k.first(place); }, range);
        },
        [&](auto& sums, int own) {
          if (kKeepsLogs)
            each_cell<K>(sums, lane, band, own, logs(),
                         [](const Place&, float2& log, unsigned cell) { put_floats(cell, log); });
        });
  }
  // And d_y and i over d.
  __device__ __forceinline__ void scale_both_channels(const Stage& at) const {
    scale_both(
        at.d_y, at.i,
        [&](auto& sums, const auto& signs, int own) {
          sums_of_logs(sums, lane, at.log_d, signs, own, false);
        },
        [&](auto& sums, int own) {
          each_cell<D>(sums, lane, band, own, changes(),
                       [](const Place&, float2& log, unsigned cell) { put_floats(cell, log); });
        });
  }
  // And over d.
  __device__ bool scale_channels(const Stage& at, const WalkPass& pass) const {
    return scale_rows(
        Rows<D>{later ? at.d_y.at : at.i.at}, pass, in() + K,
        [&](auto& logs, const auto& signs, int first) {
          sums_of_logs(logs, lane, at.log_d, signs, first, !pass.whole());
        },
        [&](const Place& place) { return get_two(at.log_d, place); });
  }
  // True if the decays of all channels are in range. All threads call it. It overwrites the first
  // stage.
  __device__ bool channels_fit(const WalkPass& pass) const {
    if (!decays_d() || pass.safe()) return true;
    float range = 0;
    const Stage at = stage(0);
    for (int first = 0; first < c.D; first += D) {
      fetch_log_d(at, first);
      arrived();
      __syncthreads();
      Sum logs[kHalf / 16];
      sums_of_logs(logs, lane, at.log_d, Signs<Anchor::kMiddle>(lane, band, pass.size),
                   later ? 0 : kHalf, !pass.whole());
      each_two<D>(logs, lane, band, 0, [&](const Place&, float2& log) { add_range(range, log); });
      __syncthreads();
    }
    return fits(range);
  }
  // Scales both memories. Adds up their product over d for each row, and over k for each channel.
  __device__ void scale_memories(const Stage& at, const WalkPass& pass) const {
    const int unit = thread_of() % 8;
    float channels[8] = {};
#pragma unroll 1
    for (int k = thread_of() / 8; k < K; k += kThreads / 8) {
      const uint4 m = get_unit(at.m.unit(k, unit)), n = get_unit(at.n.unit(k, unit));
      const unsigned ms[4] = {m.x, m.y, m.z, m.w}, ns[4] = {n.x, n.y, n.z, n.w};
      unsigned new_m[4], new_n[4];
      const float in_k = pass.ends() ? 1 : in()[k], out_k = out()[k];
      float sum = 0;
#pragma unroll
      for (int x = 0; x < 4; ++x) {
        const int d = K + 8 * unit + 2 * x;
        float2 ins = {in_k, in_k}, outs = {out_k, out_k};
        if (decays_d()) {
          if (!pass.ends()) ins = {in_k * in()[d], in_k * in()[d + 1]};
          outs = {out_k * out()[d], out_k * out()[d + 1]};
        }
        const float2 y = two_of(ms[x]), z = two_of(ns[x]);
        const float2 scaled_m = {y.x * ins.x, y.y * ins.y}, scaled_n = {z.x * outs.x, z.y * outs.y};
        new_m[x] = pack(scaled_m.x, scaled_m.y), new_n[x] = pack(scaled_n.x, scaled_n.y);
        const float first = scaled_m.x * scaled_n.x, second = scaled_m.y * scaled_n.y;
        sum += first + second;
        channels[2 * x] += first, channels[2 * x + 1] += second;
      }
      if (!pass.ends()) {
        put_unit(at.m.unit(k, unit), {new_m[0], new_m[1], new_m[2], new_m[3]});
        put_unit(at.n.unit(k, unit), {new_n[0], new_n[1], new_n[2], new_n[3]});
      }
#pragma unroll
      for (int bit = 1; bit < 8; bit *= 2) sum += __shfl_xor_sync(~0u, sum, bit);
      if (unit == 0) of_rows()[k] += sum;
    }
    if (!decays_d()) return;
#pragma unroll
    for (int x = 0; x < 8; ++x) {
      channels[x] += __shfl_xor_sync(~0u, channels[x], 8);
      channels[x] += __shfl_xor_sync(~0u, channels[x], 16);
      if (lane.id < 8) of_warps()[warp * D + 8 * unit + x] = channels[x];
    }
  }
};

}  // namespace lcsm
