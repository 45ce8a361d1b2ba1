// Follows a run's progress by reading its event file incrementally.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "results/events/event_reader.h"
#include "results/store/summary.h"

namespace runner {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct RunProgress {
  std::int64_t step = 0, attempts = 0;
  std::int64_t saved = 0;              // the last checkpoint's step
  double loss = kUnknown;              // train.loss, the last
  double steps_per_second = kUnknown;  // of this attempt, recently
  double heard = 0;                    // when the last line was written, seconds since 1970
  std::map<std::string, results::Summary> metrics;
  std::string said;                                  // the last warning or error
  results::RunState last = results::RunState::kNew;  // of the last attempt; kRunning: no end
  std::string message;                               // of its end
};

class RunFeed {
 public:
  explicit RunFeed(const std::filesystem::path& folder);  // of the run; need not exist

  // Reads the lines since the last call; a torn last line waits for its rest. Returns false if
  // nothing is new. Stops reading at a bad line, and `trouble` says why.
  bool refresh();

  const RunProgress& progress() const { return progress_; }
  const std::string& trouble() const { return trouble_; }

 private:
  void follow();
  void take(const results::Event& event);
  void take_step(std::int64_t step, double time);

  std::filesystem::path folder_, file_;
  results::Position position_;
  std::int64_t seen_bytes_ = 0;
  std::deque<std::pair<std::int64_t, double>> steps_;  // recent ones, with their times
  RunProgress progress_;
  std::string trouble_;
};

}  // namespace runner
