// The fused scan on a GPU: what its kernels are given. Read by nvcc, NVRTC and C++: plain pointers
// and sizes, no header of any side. cpu/scan/scan_cpu.h has the same recurrence.
//
// A block computes a tile of the memory, 32 rows by 32 channels, of one sequence in one segment of
// time. A thread has 4 rows of 2 neighbouring channels in registers, a warp all rows of 8 channels.
// A memory of one row, K = 1, has kernels of its own, scan_channels_*: a block has 32 channels, and
// half a warp consecutive steps of each tile of time.
#pragma once

#include "lcsm/cuda/common/choices_cuda.h"

namespace lcsm {

constexpr int kScanTile = 32;                          // rows k and channels d of a block
constexpr int kScanRows = 4, kScanColumns = 2;         // of a thread
constexpr int kScanCells = kScanRows * kScanColumns;   // of a thread
constexpr int kScanRowLanes = kScanTile / kScanRows;   // of a warp: lanes that share a column
constexpr int kScanChannelLanes = 32 / kScanRowLanes;  // lanes that share a row
constexpr int kScanWarps = kScanTile / (kScanChannelLanes * kScanColumns);
constexpr int kScanSteps = 8;   // of a chunk, whose first memory forward keeps
constexpr int kScanBlock = 64;  // steps after which the drift of a static o is corrected
constexpr int kScanMostLeaves = 16;
// Shared memory of a block: all that an A100 gives. GPUs for graphics give 99 KiB.
constexpr int kScanMostBytes = 163 * 1024;

constexpr int kChannelWarps = 8;
constexpr int kChannelParts = 2 * kChannelWarps;  // of a tile of time
constexpr int kChannelLanes = kScanTile / 2;      // of a part: a lane has two channels
// Steps of a part, in registers, by the gate's number of leaves, unless another number is chosen.
LCSM_HOST_DEVICE constexpr int channel_steps(int leaves, int choice = 0) {
  return chosen(choice, leaves <= 2 ? 8 : leaves <= 5 ? 4 : 2);
}

// The kind of e or s: [B, T, K] over data, static [K, D], or 1.
enum class StageKind { kData, kStatic, kNone };

// Over data, with the strides of b, t and k; the stride of d is 1. It has the launch's type, but
// leaves of an exact tape are float32. A static input is float32, [], [K], [D] or [K, D], with the
// stride of k. A stride is 0 where the input does not vary.
struct ScanInputCuda {
  const void* data;
  long long b, t, k;
};

// A sum over all tiles. Where there are several, each tile writes a float32 copy, and scan_sum adds
// the copies. A single copy has the launch's type at once (`final`).
struct ScanOutputCuda {
  void* data;  // null = not wanted
  bool final;
};

struct ScanCuda {
  int B, T, K, D;
  int segment;  // steps of a segment: whole blocks of kScanBlock, or tiles of channels
  bool paired;  // of channels: two neighbours are read and written at once
  ScanInputCuda i, e, s, d_y;
  ScanInputCuda leaves[kScanMostLeaves];
  // A memory is [parts, K, D].
  const float* drift;  // a memory: by how much more exact o would multiply it in kScanBlock steps
                       // than float32 o does, less 1; null = 0
  void* kept;  // the m before each chunk in the launch's type, as its threads have it; of channels
               // before each part of a tile, float32 [B, parts of T, D]; forward writes them, null
               // = not wanted
  const float* starts;  // [B, segments, memory]: m before each segment, or the gradient of m after
                        // it; null = 0
  float* ends;    // [2, B, segments, memory], of scan_segments: what a segment makes of 0, and the
                  // product of its gates
  float* memory;  // [B, memory]: the last m, or the gradient of the first
  ScanOutputCuda y, d_i;    // [row tiles, B, T, D]
  ScanOutputCuda d_e, d_s;  // data: [channel tiles, B, T, K]; static: [B, segments, K, D]
  ScanOutputCuda d_leaves[kScanMostLeaves];  // as d_i, over channels of data, or as d_e and d_s
};

// Computes the memory before each segment from `ends` (reverse: the gradient after each).
struct ScanCarryCuda {
  int segments;
  long long B, cells;  // of each part of a memory, K D
  const float* ends;   // as above
  const float* first;  // [B, memory], null = 0
  float* starts;       // [B, segments, memory]
  bool reverse;
};

// to = the sum of from [copies, M, N] over the copies, and over M, over N or over both.
enum class ScanKeep { kN, kM, kNone };
struct ScanSumCuda {
  const float* from;
  void* to;
  long long copies, M, N;
  ScanKeep keep;
};
// The results of a block: a thread adds up all copies of 4 of them where there are few copies, else
// the warps share them.
LCSM_HOST_DEVICE constexpr int scan_sum_results(const ScanSumCuda& sum) {
  if (sum.keep != ScanKeep::kN) return 1;
  return sum.copies * sum.M <= 32 ? 4 * kScanTile * kScanWarps : kScanTile;
}
LCSM_HOST_DEVICE constexpr long long scan_sum_blocks(const ScanSumCuda& sum) {
  const long long results = sum.keep == ScanKeep::kN ? sum.N : sum.keep == ScanKeep::kM ? sum.M : 1;
  return (results + scan_sum_results(sum) - 1) / scan_sum_results(sum);
}

// Blocks of a multiprocessor that registers leave room for, but in backward.
LCSM_HOST_DEVICE constexpr int scan_blocks(int parts) { return parts == 1 ? 4 : 3; }

// Shared memory of scan_backward, for a gate with of_rows leaves over rows (kSteps) and of_channels
// over channels (kCells). stores: gates are stored, too, and sums of warps take the place of what
// was read.
LCSM_HOST_DEVICE constexpr int scan_backward_bytes(int of_rows, int of_channels, int parts,
                                                   bool stores) {
  const int staged = 4 * kScanSteps * kScanTile, of_warps = kScanWarps * staged;
  const int cells = 4 * kScanSteps * kScanTile * kScanTile * parts;
  return (4 + of_rows + of_channels) * staged + (stores ? 2 : 1) * cells + of_warps +
         (1 + of_channels) * staged + (stores ? 0 : (1 + of_rows) * of_warps);
}
// True if scan_backward stores the gates of a chunk, so that each is computed once for its gradient
// and the memory.
LCSM_HOST_DEVICE constexpr bool scan_stores_gates(int of_rows, int parts, bool reads) {
  return parts == 1 && !reads && 1 + of_rows <= kScanCells;
}
static_assert(scan_backward_bytes(kScanMostLeaves, 0, 2, false) <= kScanMostBytes &&
              scan_backward_bytes(kScanCells - 1, kScanMostLeaves - (kScanCells - 1), 1, true) <=
                  kScanMostBytes);

// Blocks of a multiprocessor whose shared memory fits there (228 KiB on sm_90, 1 KiB of each block
// is not its own).
LCSM_HOST_DEVICE constexpr int scan_backward_blocks(int bytes) {
  const int fit = 228 * 1024 / (bytes + 1024);
  return fit < 3 ? fit : 3;
}

}  // namespace lcsm
