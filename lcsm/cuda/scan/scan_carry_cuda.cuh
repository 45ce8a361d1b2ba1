// Between the launches of a scan: memories from segment to segment, sums over copies.
#pragma once

#include "lcsm/cuda/scan/scan_tile_cuda.cuh"

namespace lcsm {

// A thread for each cell of each sequence.
template <int kParts>
__device__ inline void scan_carry(const ScanCarryCuda& carry) {
  const long long all = carry.B * carry.cells;
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= all) return;
  const long long b = at / carry.cells, cell = at % carry.cells;
  // This thread's cell of memory number `memory`.
  const auto cell_of = [&](const float* from, long long memory) {
    ModeValue<float, kParts> value = {};
#pragma unroll
    for (int p = 0; p < kParts && from; ++p)
      value.x[p] = from[(memory * kParts + p) * carry.cells + cell];
    return value;
  };
  ModeValue<float, kParts> m = cell_of(carry.first, b);
  for (int n = 0; n < carry.segments; ++n) {
    const int segment = carry.reverse ? carry.segments - 1 - n : n;
    const long long there = b * carry.segments + segment;
#pragma unroll
    for (int p = 0; p < kParts; ++p)
      carry.starts[(there * kParts + p) * carry.cells + cell] = m.x[p];
    m = added(cell_of(carry.ends, carry.B * carry.segments + there), m, cell_of(carry.ends, there));
  }
}

// Where there are few copies: a thread sums every 128th of a block's columns.
template <class T>
__device__ void scan_sum_few(const ScanSumCuda& sum) {
  constexpr int kThreads = kScanTile * kScanWarps, kEach = 4;
  const long long first = static_cast<long long>(blockIdx.x) * (kEach * kThreads) +
                          threadIdx.y * kScanTile + threadIdx.x;
  float total[kEach] = {};
  for (long long copy = 0; copy < sum.copies * sum.M; ++copy)
#pragma unroll
    for (int j = 0; j < kEach; ++j)
      if (first + j * kThreads < sum.N) total[j] += sum.from[copy * sum.N + first + j * kThreads];
#pragma unroll
  for (int j = 0; j < kEach; ++j)
    if (first + j * kThreads < sum.N) put(static_cast<T*>(sum.to) + first + j * kThreads, total[j]);
}

// A block sums 32 columns (kN), a row (kM) or all; its warps share the rows that are added.
template <class T>
__device__ void scan_sum(const ScanSumCuda& sum) {
  if (scan_sum_results(sum) > kScanTile) return scan_sum_few<T>(sum);
  __shared__ float of_warps[kScanWarps][kScanTile];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const long long block = blockIdx.x;
  const long long first_m = sum.keep == ScanKeep::kM ? block : 0;
  const long long last_m = sum.keep == ScanKeep::kM ? block + 1 : sum.M;
  const long long first_n = sum.keep == ScanKeep::kN ? block * kScanTile : 0;
  const long long last_n = sum.keep == ScanKeep::kN ? min(sum.N, first_n + kScanTile) : sum.N;
  float total = 0;
  for (long long copy = warp; copy < sum.copies; copy += kScanWarps)
    for (long long m = first_m; m < last_m; ++m)
      for (long long n = first_n + lane; n < last_n; n += kScanTile)
        total += sum.from[(copy * sum.M + m) * sum.N + n];
  of_warps[warp][lane] = total;
  __syncthreads();
  if (warp > 0) return;
  for (int w = 1; w < kScanWarps; ++w) total += of_warps[w][lane];
  if (sum.keep == ScanKeep::kN) {
    if (first_n + lane < last_n) put(static_cast<T*>(sum.to) + first_n + lane, total);
    return;
  }
  for (int bit = 16; bit > 0; bit /= 2) total += __shfl_xor_sync(~0u, total, bit);
  if (lane == 0) put(static_cast<T*>(sum.to) + first_m, total);
}

}  // namespace lcsm
