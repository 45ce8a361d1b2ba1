// The sum of modes on a GPU: what its kernels are given. Read by nvcc, NVRTC and C++: plain
// pointers and sizes, no header of any side. cpu/modes/modes_cpu.h has the same recurrence.
//
//   u_t = q u_(t-1) + x_t,   y_t = Re sum_n c_n u_t,n + shortcut x_t      each channel
//
// A block has 32 channels of a sequence, a thread two of them and 8 steps of each tile of time.
// Backward M_t, the gradient of u_t without the part from y_t, goes the other way:
// M_(t-1) = q M_t + q c d_y_t. In a late direction y_t reads u_(t-1), and c takes the place of
// q c.
#pragma once

#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

constexpr int kModesLanes = 32;
constexpr int kModesWarps = 8;
constexpr int kModesSteps = 8;                    // of a thread
constexpr int kModesWarpSteps = 2 * kModesSteps;  // a half of a warp each
constexpr int kModesTile = kModesWarps * kModesWarpSteps;
constexpr int kModesThreads = kModesLanes * kModesWarps;
constexpr int kModesMost = 64;  // of all directions

// Values [N, D] are float64, or pairs of them where modes are complex.
struct ModesDirectionCuda {
  int N;
  bool back;  // from the last step to the first
  bool late;  // y_t reads u before x_t enters
  const double *q, *c;
  const double* first;  // u before the first step, or the gradient of the last u, [B, N, D]; null =
                        // 0
  double* last;         // the last u, or the gradient of the first; null = not wanted
  // [B, tiles, N, parts, D]: u, and backward M, where they enter a tile.
  float *before, *after;
  float* sums;  // backward: [B, segments, N, 2, parts, D], sums of d_y u_(t-1) and of M u_(t-1)
};

struct ModesCuda {
  int B, T, D;
  int segment;  // tiles of a block
  int count;    // of directions; two go against each other
  bool paired;  // two neighbouring channels are read and written at once
  // A single direction with at most one mode per warp may carry the state from tile to tile;
  // forward then writes `before` (null = not wanted). Otherwise earlier launches computed the
  // states that enter tiles: `before`, and backward `after`.
  bool carried;
  const void* x;                 // [B, T, D] of the launch's type, as y, d_y and d_x
  const unsigned char* padding;  // [B, T]: where it is not 0, x is 0; null = nowhere
  const float* shortcut;         // [D], null = 0
  void* y;
  const void* d_y;
  void* d_x;
  float* d_y_x;  // [B, segments, D]
  ModesDirectionCuda directions[2];
};

// Replaces each tile's final state from zero by the state that enters the tile.
struct ModesCarryCuda {
  int B, T, N, D;
  int all;        // modes of `first` and `last`; these are the first N of them
  int tile;       // its steps, a power of 2
  bool back;      // the order
  bool gradient;  // `first` and `last` are gradients, conjugate to M
  const double* q;
  float* starts;        // [B, tiles, N, parts, D]
  const double* first;  // [B, all, D], null = 0
  double* last;         // null = not wanted
};

// From sums to the gradients of a direction. A complex gradient is the gradient of the real part
// plus i times the gradient of the imaginary part.
struct ModesGradientsCuda {
  int copies, N, D;
  bool late;
  const double *q, *c;
  const float *sums, *d_y_x;
  const float* lags;  // replaces d_y_x, [copies, 32, D]: sums of d_y_t x_(t-l) that `sums` lacks;
                      // null = `sums` is complete
  double *d_q, *d_c;  // [N, D]
  float* d_shortcut;  // [D], null = not wanted
};

LCSM_HOST_DEVICE constexpr int modes_tiles(int T) { return (T + kModesTile - 1) / kModesTile; }

// Modes that share a barrier.
constexpr int kModesGroup = 2;  // where there are more than kModesWarps
LCSM_HOST_DEVICE constexpr int modes_group(int modes) {
  return modes <= kModesWarps ? modes : kModesGroup;
}
// Rows of 32 numbers for the factors of a mode.
LCSM_HOST_DEVICE constexpr int modes_factors(int parts) { return 5 * parts + 1; }
// The state that enters a tile and the final states of warps, both twice (two turns), and the final
// state of each warp's earlier half.
constexpr int kModesWalkRows = 2 + 3 * kModesWarps;

// Shared memory for `modes` modes of all directions: the factors of each mode; for a group of
// modes, what the walks of u and backward of M carry; backward also the sums of a group's warps,
// and the totals of all modes where there are several groups.
LCSM_HOST_DEVICE constexpr int modes_bytes(int modes, int parts, bool backward) {
  const int group = modes_group(modes);
  const int walks = group * (backward ? 2 : 1) * kModesWalkRows * parts;
  const int sums =
      group * 2 * kModesWarps * parts + (group < modes ? modes * 2 * parts : 0) + kModesWarps;
  return 4 * kModesLanes * (modes * modes_factors(parts) + walks + (backward ? sums : 0));
}

}  // namespace lcsm
