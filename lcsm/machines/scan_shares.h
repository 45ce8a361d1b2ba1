// Divides a scan among workers: sequences times groups of channels times shares of the memory's
// rows, in a fixed assignment.
#pragma once

#include <functional>

#include "lcsm/cpu/scan_cpu.h"

namespace lcsm {

struct ScanShares {
  // `lanes`: per vector; channels are cut at multiples of it.
  ScanShares(std::int64_t B, std::int64_t T, std::int64_t K, std::int64_t D, std::int64_t lanes);
  void run(const std::function<void(const ScanPart&)>& work) const;

  std::int64_t channels = 1, rows = 1, groups = 1, tasks = 1, workers = 1;

 private:
  std::int64_t K_, D_, lanes_;
};

}  // namespace lcsm
