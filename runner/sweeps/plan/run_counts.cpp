#include "runner/sweeps/plan/run_counts.h"

#include <fmt/format.h>

#include <numeric>
#include <vector>

#include "runner/base/text/counts.h"

namespace runner {

using results::RunState;

std::size_t RunCounts::all() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
}

std::size_t RunCounts::left() const {
  return all() - of(RunState::kDone) - of(RunState::kFailed) - of(RunState::kCancelled);
}

std::string RunCounts::text() const {
  std::vector<Count> counts;
  for (const RunState state : results::kCountedStates)
    counts.push_back({of(state), name_of(state)});
  return counts_text(counts);
}

std::string RunCounts::summary() const {
  const std::size_t cancelled = of(RunState::kCancelled);
  return fmt::format("{} done, {} failed, {} left{} of {}", of(RunState::kDone),
                     of(RunState::kFailed), left(),
                     cancelled > 0 ? fmt::format(", {} cancelled", cancelled) : "", all());
}

}  // namespace runner
