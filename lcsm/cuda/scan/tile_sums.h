// Sums over k to which each tile of channels adds a part: [tiles, B, T, width] in float32, added by
// extra launches if there are several tiles.
#pragma once

#include <string>
#include <vector>

#include "lcsm/cuda/driver/kernel_call.h"
#include "lcsm/cuda/scan/scan_cuda.h"

namespace lcsm {

class TileSums {
 public:
  TileSums(unsigned tiles, long long steps, const char* type, const Allocate& allocate)
      : tiles_(tiles), steps_(steps), type_(type), allocate_(allocate) {}

  // Null = not wanted.
  ScanOutputCuda of(const char* what, void* to, int width) {
    if (tiles_ == 1 || to == nullptr) return {to, true};
    const long long count = steps_ * width;
    void* const space = allocate_(what, tiles_ * static_cast<std::size_t>(count) * sizeof(float));
    const ScanSumCuda sum{static_cast<float*>(space), to, tiles_, 1, count, ScanKeep::kN};
    calls_.push_back(call_of("scan_sum_" + type_,
                             {static_cast<unsigned>(scan_sum_blocks(sum)), 1, 1},
                             {kScanTile, kScanWarps, 1}, sum));
    return {space, false};
  }
  const std::vector<KernelCall>& calls() const { return calls_; }

 private:
  const unsigned tiles_;
  const long long steps_;
  const std::string type_;
  const Allocate& allocate_;
  std::vector<KernelCall> calls_;
};

}  // namespace lcsm
