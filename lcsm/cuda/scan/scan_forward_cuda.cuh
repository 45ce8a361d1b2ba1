// Forward, and what a segment of time makes of the memory before it.
#pragma once

#include "lcsm/cuda/scan/scan_inputs_cuda.cuh"

namespace lcsm {

template <class Gate, class T, StageKind kE, StageKind kS>
__device__ void scan_forward(const ScanCuda& scan) {
  using Inputs = ScanInputs<Gate, T, kE, kS, kScanRows>;
  __shared__ alignas(16) Staged staged[Inputs::kSlots];
  __shared__ OfWarps<kScanWarps> sums[kScanSteps];
  const typename Inputs::Tile tile(scan);
  const int segments = static_cast<int>(gridDim.y);
  Inputs in;
  in.load(tile);
  typename Inputs::Cell m[kScanRows];
  tile.load(
      scan.starts ? scan.starts + (tile.b * segments + tile.segment) * tile.memory() : nullptr, m);
  for (int t = tile.first; t < tile.last; t += kScanSteps) {
    const int count = min(kScanSteps, tile.last - t);
    correct<Gate>(tile, t, false, m);
    if (scan.kept && t % kScanKept == 0)
      tile.store(scan.kept + (static_cast<long long>(tile.b) * tile.blocks(scan) + t / kScanKept) *
                                 tile.memory(),
                 m);
    in.template stage<true, false>(tile, t, count, staged);
    __syncthreads();
    for (int step = 0; step < count; ++step) {
      in.template take<true, false>(tile, staged, step);
      float y = 0;
#pragma unroll
      for (int j = 0; j < kScanRows; ++j) {
        typename Inputs::Factors by;
        m[j] = in.next(j, m[j], &by);
        y = in.read(j, m[j], by, y);
      }
      sums[step][tile.warp][tile.lane] = y;
    }
    __syncthreads();
    put_channels<T>(
        tile, [&](int step) -> const OfWarps<kScanWarps>& { return sums[step]; }, t, count, scan.y);
  }
  if (tile.last == scan.T) tile.store(scan.memory + tile.b * tile.memory(), m);
}

// Into `ends`: m at the end of a segment that begins with 0, and the product of its gates.
// kReverse: the gradient of m before a segment after which it is 0.
template <class Gate, class T, StageKind kE, StageKind kS, bool kReverse>
__device__ void scan_segments(const ScanCuda& scan) {
  using Inputs = ScanInputs<Gate, T, kE, kS, kScanRows>;
  __shared__ alignas(16) Staged staged[Inputs::kSlots];
  const typename Inputs::Tile tile(scan);
  const int segments = static_cast<int>(gridDim.y);
  Inputs in;
  in.load(tile);
  typename Inputs::Cell m[kScanRows] = {}, whole[kScanRows] = {};
#pragma unroll
  for (int j = 0; j < kScanRows; ++j) whole[j].x[0] = 1;
  for (int done = tile.first; done < tile.last; done += kScanSteps) {
    const int count = min(kScanSteps, tile.last - done);
    const int t = kReverse ? tile.first + tile.last - done - count : done;
    if (!kReverse) {
      correct<Gate>(tile, t, false, m);
      correct<Gate>(tile, t, false, whole);
    }
    __syncthreads();
    in.template stage<kReverse, kReverse>(tile, t, count, staged);
    __syncthreads();
    for (int step = 0; step < count; ++step) {
      in.template take<kReverse, kReverse>(tile, staged, kReverse ? count - 1 - step : step);
#pragma unroll
      for (int j = 0; j < kScanRows; ++j) {
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
