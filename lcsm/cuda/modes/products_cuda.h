// The sum of many modes on a GPU, by products on tensor cores: what its kernels are given. Read by
// nvcc, NVRTC and C++.
//
// A chunk is 32 steps. With u before it, powers q^e of e = 0 .. 31, w = q c (late: c), and taps
// k_0 = shortcut + Re sum c (late: shortcut), k_l = Re sum w q^(l-1),
//
//   y_t = Re sum w q^t u + sum_(j <= t) k_(t-j) x_j     u' = q^32 u + sum_j q^(31-j) x_j
//
// A warp is a channel and a tile 16 chunks, the rows of its products. A pass takes modes of one
// direction. Steps are in the order of the direction: from the last step to the first if it is
// back.
#pragma once

#include "lcsm/cuda/modes/modes_cuda.h"

namespace lcsm {

constexpr int kProductsSteps = 32;
constexpr int kProductsChunks = 16;
constexpr int kProductsTile = kProductsSteps * kProductsChunks;
constexpr int kProductsPairs = 32;  // of a pass at most: complex modes, or two real ones each
constexpr int kProductsGroup = 8;   // pairs of a product

enum class ProductsPass { kForward, kBackward };

struct ModesProductsCuda {
  int B, T, D;
  int N, all;     // modes of the pass, and of its direction
  int segment;    // tiles of a block
  bool back;      // from the last step to the first
  bool late;      // y_t reads u before x_t enters
  bool adds;      // to y or d_x, which another pass has written
  bool carried;   // from `first` along all tiles; else `before` or `after` were computed first
  const void* x;  // [B, T, D] of the launch's type, as y, d_y and d_x
  const unsigned char* padding;  // [B, T]: where it is not 0, x is 0; null = nowhere
  const float* shortcut;         // [D], null = 0
  const double *q, *c;           // [N, D]
  void* y;
  const void* d_y;
  void* d_x;
  const double* first;  // u before the first step, or the gradient of the last u, of [B, all, D];
                        // null = 0
  double* last;         // the last u, or the gradient of the first; null = not wanted
  // [B, tiles, N, parts, D]: u, and backward its gradient, where they enter a tile.
  float *before, *after;
  float* sums;  // backward: [B, segments, N, 2, parts, D], over chunks: of d_y u and of M u
  float* lags;  // backward: [B, segments, 32, D]: sums of d_y_t x_(t-l) within chunks
};

LCSM_HOST_DEVICE constexpr int products_tiles(int T) {
  return (T + kProductsTile - 1) / kProductsTile;
}
LCSM_HOST_DEVICE constexpr int products_pairs(int N, int parts) {
  const int pairs = parts == 2 ? N : (N + 1) / 2;
  return (pairs + kProductsGroup - 1) / kProductsGroup * kProductsGroup;
}
// Channels of a block, so that the rows that it reads are whole sectors.
LCSM_HOST_DEVICE constexpr int products_channels(bool bfloat16) { return bfloat16 ? 16 : 8; }

// Numbers of shared memory, 4 bytes each. Of a channel: powers of each pair; factors of walks;
// taps; what enters a tile. A tile, of which half the channels are shifted.
constexpr int kProductsFactors = 8, kProductsTaps = 64;
// Between channels that are read side by side: none meet in a bank.
LCSM_HOST_DEVICE constexpr int products_gap(bool bfloat16) {
  return 32 / products_channels(bfloat16);
}
LCSM_HOST_DEVICE constexpr int products_tile_words() { return 32 / 4 * kProductsTile + 16; }
LCSM_HOST_DEVICE constexpr int products_bytes(int pairs, bool bfloat16, ProductsPass pass) {
  const bool backward = pass == ProductsPass::kBackward;
  const int powers = 2 * pairs * kProductsSteps / (bfloat16 ? 2 : 1);
  const int gap = products_gap(bfloat16);
  const int walks = (backward ? 2 : 1) * (2 * pairs + gap);
  const int sums = backward ? 8 * 32 + pairs / kProductsGroup * 32 + gap : 0;
  const int of_channel = powers + kProductsFactors * pairs + kProductsTaps + walks + sums;
  return 4 *
         (products_channels(bfloat16) * of_channel + (backward ? 2 : 1) * products_tile_words());
}
static_assert(products_bytes(kProductsPairs, true, ProductsPass::kBackward) <= kScanMostBytes);

}  // namespace lcsm
