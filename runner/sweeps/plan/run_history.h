// Measures how long the workspace's runs took on this host, to estimate others.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "results/store/database.h"
#include "runner/sweeps/plan/run_cost.h"

namespace runner {

struct Estimate {
  double seconds = 0;  // of the whole run
  std::string source;  // "measured" in similar runs, "scaled" from others, "guessed"
};

class RunHistory {
 public:
  RunHistory() = default;  // nothing was measured
  // Uses attempts on `host`, and attempts that name no host; empty: attempts on any host. Reads the
  // lengths of examples from the data of `workspace`.
  RunHistory(results::Database& database, const std::string& host,
             const std::filesystem::path& workspace);

  Estimate estimate(const RunConfig& config, const RunCost& cost, int threads) const;

 private:
  std::unordered_map<std::string, double> step_seconds_;  // the median, by likeness
  double factor_ = 0;  // median of measured / guessed seconds; 0 = nothing measured
};

}  // namespace runner
