// Forward, and how a segment of time changes the memory before it.
#pragma once

#include "lcsm/cuda/scan/scan_inputs_cuda.cuh"

namespace lcsm {

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_forward(const ScanCuda& scan) {
  using Inputs = ScanInputs<Gate, T, kE, kS>;
  __shared__ alignas(16) Staged staged[Inputs::kSlots];
  __shared__ Staged sums;
  const typename Inputs::Tile tile(scan);
  const int segments = static_cast<int>(gridDim.y);
  Inputs in;
  in.load(tile);
  typename Inputs::Cell m[kScanCells];
  tile.load(
      scan.starts ? scan.starts + (tile.b * segments + tile.segment) * tile.memory() : nullptr, m);
  in.template begin<false>(tile, tile.first);
  for (int t = tile.first; t < tile.last; t += kScanSteps) {
    const int count = tile.count(t);
    correct<Gate>(tile, t, false, m);
    if (scan.kept) tile.keep(t, m);
    in.template stage<false>(tile, t, staged);
    in.template ahead<false>(tile, t + kScanSteps);
    for (int step = 0; step < count; ++step) {
      in.template take<false>(tile, staged, step);
      float y[kScanColumns] = {};
#pragma unroll
      for (int j = 0; j < kScanCells; ++j) {
        typename Inputs::Factors by;
        m[j] = in.next(j, m[j], &by);
        float& of_column = y[tile.column_of(j)];
        of_column = in.read(j, m[j], by, of_column);
      }
      put_sums_of_columns(y, tile.lane, tile.warp, sums[step]);
    }
    __syncthreads();
    tile.template put_channels<T>(sums, t, count, scan.y);
  }
  if (tile.last == scan.T) tile.store(scan.memory + tile.b * tile.memory(), m);
}

// Writes to `ends` the memory at the end of a segment that begins with 0, and the product of its
// gates. kReverse: the gradient of the memory before a segment that ends with gradient 0.
template <class Gate, class T, StageKind kE, StageKind kS, bool kReverse>
__device__ void scan_segments(const ScanCuda& scan) {
  using Inputs = ScanInputs<Gate, T, kE, kS>;
  __shared__ alignas(16) Staged staged[Inputs::kSlots];
  const typename Inputs::Tile tile(scan);
  const int segments = static_cast<int>(gridDim.y);
  Inputs in;
  in.load(tile);
  typename Inputs::Cell m[kScanCells] = {}, whole[kScanCells] = {};
#pragma unroll
  for (int j = 0; j < kScanCells; ++j) whole[j].x[0] = 1;
  const int chunks = (tile.last - tile.first + kScanSteps - 1) / kScanSteps,
            one = kReverse ? -kScanSteps : kScanSteps;
  int t = kReverse ? tile.first + (chunks - 1) * kScanSteps : tile.first;
  in.template begin<kReverse>(tile, t);
  for (int chunk = 0; chunk < chunks; ++chunk, t += one) {
    const int count = tile.count(t);
    if (!kReverse) {
      correct<Gate>(tile, t, false, m);
      correct<Gate>(tile, t, false, whole);
    }
    __syncthreads();
    in.template stage<kReverse>(tile, t, staged);
    in.template ahead<kReverse>(tile, t + one);
    for (int step = 0; step < count; ++step) {
      in.template take<kReverse>(tile, staged, kReverse ? count - 1 - step : step);
#pragma unroll
      for (int j = 0; j < kScanCells; ++j) {
        typename Inputs::Factors by;
        const typename Inputs::Cell after = in.next(j, m[j], &by);
        const typename Inputs::Cell o = kReverse ? conjugate(by.o) : by.o;
        m[j] = kReverse ? product(o, in.now(j, m[j], by)) : after;
        whole[j] = product(o, whole[j]);
      }
    }
    if (kReverse) {
      correct<Gate>(tile, t, true, m);
      correct<Gate>(tile, t, true, whole);
    }
  }
  const long long at = (static_cast<long long>(tile.b) * segments + tile.segment) * tile.memory();
  tile.store(scan.ends + at, m);
  tile.store(scan.ends + at + scan.B * segments * tile.memory(), whole);
}

}  // namespace lcsm
