// The chunked recurrence of bfloat16 rows: sizes of its kernels. Read by nvcc, NVRTC and C++.
#pragma once

#include "lcsm/cuda/chunk/chunk_cuda.h"

namespace lcsm {

constexpr int kWalkChannels = 64;  // of a tile
// The largest |logarithm| of a scale. Where rows and channels decay, each scale may use half of
// this range. A sum of 64 products of scaled numbers is finite up to here.
constexpr float kWalkRange = 76;

// kNone: nothing decays. kRows: only rows of the memory do. kAny: channels do, rows may.
enum class Decaying { kNone, kRows, kAny };

// kForward computes y and the memory before each chunk, kReverse the gradient of the memory after
// each. From both, kRows computes the gradients of a chunk's rows. kStrong does so for chunks that
// need several passes. kFused is kReverse and kRows in one.
enum class WalkPart { kForward, kReverse, kRows, kStrong, kFused };

LCSM_HOST_DEVICE constexpr int walk_threads(WalkPart part) {
  return part >= WalkPart::kRows ? 256 : 128;
}
// Tiles of channels that walk_back holds in shared memory: two where an A100 has room for them and
// registers allow only one block, else one; unless another number is chosen.
LCSM_HOST_DEVICE constexpr int walk_stages(int K, bool decays_d, int choice = 0) {
  return chosen(choice, K > 64 && !decays_d ? 2 : 1);
}

// Blocks per multiprocessor, unless others are chosen. On an H200, those for 64 and 128 rows were
// the fastest that were tried. many: of walk_back for several tiles of channels.
LCSM_HOST_DEVICE constexpr int walk_forward_blocks(int K, Decaying decaying) {
  const bool small = K == 32 && decaying == Decaying::kNone,
             large = K == 128 || (K == 64 && decaying == Decaying::kAny);
  return chosen(LCSM_WALK_FORWARD_BLOCKS, small ? 4 : large ? 2 : 3);
}
LCSM_HOST_DEVICE constexpr int walk_reverse_blocks(int K, Decaying decaying) {
  const bool small = K == 32 && decaying == Decaying::kNone;
  return chosen(LCSM_WALK_REVERSE_BLOCKS, small                                   ? 6
                                          : K == 128                              ? 2
                                          : K == 64 && decaying == Decaying::kAny ? 3
                                                                                  : 4);
}
LCSM_HOST_DEVICE constexpr int walk_back_blocks(int K, Decaying decaying, bool many) {
  const bool small = K == 32 && decaying == Decaying::kNone;
  bool one = many && !small;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  one |= K == 64 && decaying == Decaying::kAny;  // an A100 has memory for one
#endif
  return chosen(LCSM_WALK_BACK_BLOCKS, one ? 1 : 2);
}

// True if walk_back takes the channels tile by tile; it has up to 64 rows of one tile at once.
LCSM_HOST_DEVICE constexpr bool walk_has_tiles(int K, int D) {
  return D > kWalkChannels || K > kWalkChannels;
}
// True if a block of walk_forward sees all decays of a chunk: it decides whether one pass is
// enough. For such chunks the walks keep scaled memories.
LCSM_HOST_DEVICE constexpr bool walk_decides(bool decays_d, bool tiles) {
  return !decays_d || !tiles;
}
// True if walk_back keeps the logarithms of the scales of rows. Otherwise 128 rows would not fit an
// A100, and 64 with decays over channels would not fit the 99 KiB of GPUs for graphics.
LCSM_HOST_DEVICE constexpr bool walk_keeps_logs(int K, bool decays_d) {
  return K <= 64 && !decays_d;
}

// Room for sums of rows, so that what is behind them begins at multiples of 256 bytes.
LCSM_HOST_DEVICE constexpr int walk_row_sums(int K) { return K < 64 ? 64 : K; }

// Shared memory of a block; the kernels take it in this order.
LCSM_HOST_DEVICE constexpr int walk_bytes(int K, WalkPart part, bool decays_k, bool decays_d,
                                          bool has_tiles, int stages = 0) {
  if (part == WalkPart::kFused)  // and 16 numbers of each thread, and two factors of each row
    return walk_bytes(K, WalkPart::kRows, decays_k, decays_d, has_tiles, stages) +
           4 * (16 * walk_threads(part) + 2 * K);
  const bool decays = decays_k || decays_d;
  const int k = 2 * kChunkRows * K, d = 2 * kChunkRows * kWalkChannels,
            memory = 2 * K * kWalkChannels, both = K + (decays_d ? kWalkChannels : 0);
  if (part == WalkPart::kForward)
    return (decays ? 3 * k + d : 4 * k) + 2 * d + memory + (decays_k ? k : 0) +
           (decays_d ? 2 * d : 0) + (decays ? 4 * 2 * both : 0);
  if (part == WalkPart::kReverse)
    return 2 * (k + d + (decays_k ? k : 0) + (decays_d ? d : 0)) + memory +
           (decays ? 4 * both * (walk_decides(decays_d, has_tiles) ? 2 : 1) : 0);
  const int tiles = walk_stages(K, decays_d, stages) * (2 * d + 2 * memory + (decays_d ? d : 0));
  const int changes = decays_k ? 2 * 4 * kChunkRows * K : 0;        // in the place of tiles
  const int staged = 16 * kWalkChannels * walk_threads(part) / 32;  // of d_i
  const int bytes = (tiles < changes ? changes : tiles) + 2 * k + staged + (decays_k ? k : 0);
  if (!decays) return bytes;
  const bool channels = decays_d || part == WalkPart::kStrong,
             decided = part != WalkPart::kStrong && walk_decides(decays_d, has_tiles);
  int numbers = 2 * K + (decided && walk_keeps_logs(K, decays_d) ? kChunkRows * K : 0);
  if (!decided) numbers += 2 * (K + kWalkChannels) + walk_row_sums(K) + 8 * kWalkChannels;
  if (channels)
    numbers += kChunkWarps * kWalkChannels + 2 * walk_threads(part) +
               (decays_d ? kChunkRows * kWalkChannels : 0);
  return bytes + 4 * numbers;
}

// The argument of all kernels but walk_forward.
struct WalkBackCuda {
  ChunkCuda chunk;
  void* d_kept;  // [B, chunks, K, D]: the gradient of m after each chunk; of walk_fused only after
                 // chunks of strong decays
};

}  // namespace lcsm
