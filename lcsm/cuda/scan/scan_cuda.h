// The fused scan on a GPU: what its kernels are given. Read by nvcc, NVRTC and C++: plain pointers
// and sizes, no header of any side. The recurrence is that of cpu/scan/scan_cpu.h.
//
// A block computes a tile of the memory, 32 rows by 32 channels, of one sequence in one segment of
// time. A thread keeps 8 rows of one channel in registers, backward mostly 4. A memory of one row,
// K = 1, has kernels of its own, scan_channels_*: a block has 32 channels, and half a warp
// consecutive steps of each tile of time.
#pragma once

#include "lcsm/cuda/common/choices_cuda.h"

namespace lcsm {

constexpr int kScanTile = 32;  // rows k and channels d of a block
constexpr int kScanRows = 8;   // of a thread
constexpr int kScanWarps = kScanTile / kScanRows;
constexpr int kScanStoredRows = 4;  // of a thread, backward where gates are stored
constexpr int kScanSteps = 8;       // staged at a time
constexpr int kScanKept = 64;       // steps between memories that forward keeps
constexpr int kScanChunks = kScanKept / kScanSteps;
constexpr int kScanMostLeaves = 16;
constexpr int kScanMostBytes = 163 * 1024;  // shared memory of a block, on every device

constexpr int kChannelWarps = 8;
constexpr int kChannelParts = 2 * kChannelWarps;  // of a tile of time
constexpr int kChannelLanes = kScanTile / 2;      // of a part: a lane has two channels
// Steps of a part, in registers, for a gate with so many leaves, unless another number is chosen.
LCSM_HOST_DEVICE constexpr int channel_steps(int leaves, int choice = 0) {
  return chosen(choice, leaves <= 2 ? 8 : leaves <= 5 ? 4 : 2);
}

// What e or s is: [B, T, K] over data, [K, D], or 1.
enum class StageKind { kData, kStatic, kNone };

// Over data (of the launch's type, but leaves of an exact tape float32): strides of b, t and k,
// that of d is 1. Else float32: [], [K], [D] or [K, D], with the stride of k. A stride is 0 where
// the input does not vary.
struct ScanInputCuda {
  const void* data;
  long long b, t, k;
};

// What a block adds up over its tile only, other tiles write into copies of their own, float32;
// scan_sum adds these. A single copy is of the launch's type at once.
struct ScanOutputCuda {
  void* data;  // null = not wanted
  bool final;
};

struct ScanCuda {
  int B, T, K, D;
  int segment;  // steps of a segment: whole blocks of kScanKept, or tiles of channels
  bool paired;  // of channels: two neighbours are read and written at once
  ScanInputCuda i, e, s, d_y;
  ScanInputCuda leaves[kScanMostLeaves];
  // A memory is [parts, K, D].
  const float* drift;   // a memory: by how much more exact o would multiply it in kScanKept steps
                        // than float32 o does, less 1; null = 0
  float* kept;          // [B, blocks of kScanKept, memory], or [B, parts, D]: the m before each;
                        // forward writes them, null = not wanted
  const float* starts;  // [B, segments, memory]: m before each segment, or the gradient of m after
                        // it; null = 0
  float* ends;    // [2, B, segments, memory], of scan_segments: what a segment makes of 0, and the
                  // product of its gates
  float* memory;  // [B, memory]: the last m, or the gradient of the first
  ScanOutputCuda y, d_i;    // [row tiles, B, T, D]
  ScanOutputCuda d_e, d_s;  // data: [channel tiles, B, T, K]; static: [B, segments, K, D]
  ScanOutputCuda d_leaves[kScanMostLeaves];  // as d_i, over channels of data, or as d_e and d_s
};

// From what segments make of 0 to what is before each (reverse: after each).
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

// Blocks of a multiprocessor that registers leave room for, but in backward.
LCSM_HOST_DEVICE constexpr int scan_blocks(int parts) { return parts == 1 ? 4 : 3; }

// Shared memory of scan_backward, for a gate with so many leaves, of which so many are data over
// rows (kSteps) and over channels (kCells), and cells of so many parts. stores: gates, too.
LCSM_HOST_DEVICE constexpr int scan_backward_bytes(int leaves, int of_rows, int of_channels,
                                                   int parts, bool stores) {
  const int staged = 4 * kScanSteps * kScanTile, partial = staged * kScanWarps;
  const int cells = 4 * kScanTile * kScanTile * parts;
  return (4 + leaves) * staged + (kScanChunks + (stores ? 2 : 1) * kScanSteps) * cells +
         (2 + of_rows) * staged + (stores ? 0 : (1 + of_channels) * partial);
}
// True if scan_backward stores the gates of a chunk, so that each is computed once for its gradient
// and the memory; sums over rows then take the place of what was read.
LCSM_HOST_DEVICE constexpr bool scan_stores_gates(int leaves, int of_rows, int of_channels,
                                                  int parts, bool reads) {
  return parts == 1 && !reads && 1 + of_channels <= kScanStoredRows &&
         scan_backward_bytes(leaves, of_rows, of_channels, parts, true) <= kScanMostBytes;
}

// Two blocks fit a multiprocessor then: more warps hide more latency.
LCSM_HOST_DEVICE constexpr int scan_backward_warps(bool stores) {
  return kScanTile / (stores ? kScanStoredRows : kScanRows);
}

}  // namespace lcsm
