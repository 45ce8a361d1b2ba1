#include "lcsm/measure/timing.h"

#include <algorithm>
#include <chrono>

#include "lcsm/measure/ceilings.h"

namespace lcsm {

Seconds time_each(double budget, const std::function<void()>& work) {
  using clock = std::chrono::steady_clock;
  const auto since = [](clock::time_point t) {
    return std::chrono::duration<double>(clock::now() - t).count();
  };
  work();
  Seconds seconds;
  for (const auto start = clock::now(); seconds.size() < 5 || since(start) < budget;) {
    const auto begin = clock::now();
    work();
    seconds.push_back(since(begin));
  }
  return seconds;
}

Rate with_times(Rate rate, double amount, Seconds seconds) {
  std::sort(seconds.begin(), seconds.end());
  rate.best = amount / seconds.front();
  rate.median = amount / seconds[seconds.size() / 2];
  rate.repeats = static_cast<int>(seconds.size());
  return rate;
}

}  // namespace lcsm
