#include "lcsm/machines/scan_shares.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <numeric>

namespace lcsm {
namespace {

constexpr std::int64_t kCellsPerThread = 50000;  // about ten microseconds
constexpr std::int64_t kRowsOfShare = 8;  // below, packing i and adding up y is most of the work

}  // namespace

ScanShares::ScanShares(std::int64_t B, std::int64_t T, std::int64_t K, std::int64_t D,
                       std::int64_t lanes)
    : K_(K), D_(D), lanes_(lanes) {
  const std::int64_t threads =
      std::clamp<std::int64_t>(B * T * K * D / kCellsPerThread, 1, at::get_num_threads());
  const std::int64_t most = (D + lanes - 1) / lanes;
  if (B < 4 * threads) channels = std::min(threads / std::gcd(threads, B), most);
  // Rows are shared only where sequences and channels are fewer than threads.
  rows = std::clamp<std::int64_t>(threads / (B * channels), 1,
                                  std::max<std::int64_t>(1, K / kRowsOfShare));
  groups = channels * rows;
  tasks = B * groups;
  workers = std::min(threads, tasks);
}

void ScanShares::run(const std::function<void(const ScanPart&)>& work) const {
  const std::int64_t units = (D_ + lanes_ - 1) / lanes_;
  const auto share = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t worker = begin; worker < end; ++worker)
      for (std::int64_t n = tasks * worker / workers; n < tasks * (worker + 1) / workers; ++n) {
        const std::int64_t group = n % groups, c = group / rows, r = group % rows;
        work({.b = n / groups,
              .first = units * c / channels * lanes_,
              .last = std::min(D_, units * (c + 1) / channels * lanes_),
              .first_k = K_ * r / rows,
              .last_k = K_ * (r + 1) / rows,
              .share = r,
              .group = group,
              .worker = worker});
      }
  };
  if (workers == 1) return share(0, 1);
  at::parallel_for(0, workers, 1, share);
}

}  // namespace lcsm
