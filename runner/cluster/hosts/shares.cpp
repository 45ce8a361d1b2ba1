#include "runner/cluster/hosts/shares.h"

#include <algorithm>
#include <numeric>

namespace runner {

std::vector<std::size_t> share_out(const std::vector<double>& seconds,
                                   const std::vector<double>& at_once) {
  std::vector<std::size_t> order(seconds.size()), host_of(seconds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t run) { return seconds[run]; });
  std::vector<double> busy(at_once.size());
  for (const std::size_t run : order) {
    const double work = std::max(seconds[run], 1e-3);  // distributes runs of unknown time, too
    const auto until = [&](std::size_t host) { return (busy[host] + work) / at_once[host]; };
    std::size_t best = 0;
    for (std::size_t host = 1; host < at_once.size(); ++host)
      if (until(host) < until(best)) best = host;
    busy[best] += work;
    host_of[run] = best;
  }
  return host_of;
}

}  // namespace runner
