// Decides which runs of a sweep this process may start. Claims a run before its start, and records
// its end.
//
// Array tasks of a submission also list finished runs as empty files in its folder `done/`: with
// 100 000 runs, a task reads one folder instead of looking 100 000 times.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/base/process/steady_time.h"
#include "runner/sweeps/schedule/training_processes.h"
#include "runner/workspace/claim_watch.h"

namespace runner {

inline constexpr const char* kByAnother = "by another process";  // why a run ended elsewhere

// Settings of a process that shares its runs with others: a worker of a submission.
struct SharedWork {
  std::string submission = {};
  double beat = 10, silence = 120;     // as in Claim
  std::int64_t fruitless = 3;          // attempts in a row without a step: the run has failed
  std::optional<double> seconds = {};  // after which it starts no run
};

class RunClaims {
 public:
  RunClaims(const std::filesystem::path& workspace, const std::optional<SharedWork>& shared)
      : workspace_(workspace), shared_(shared) {}

  struct Answer {
    std::int64_t claim = 0;          // number of the new claim: the run may start
    std::optional<Ended> over = {};  // set if the run needs no start
    double wait = 0;                 // otherwise seconds until the next ask is worthwhile
  };
  // Throws std::system_error.
  Answer ask(const RunToDo& run, double now);

  // Called when the training that began with a claim has ended.
  void ended(const RunToDo& run, results::RunState end);

  // True if another process is known to train the run, according to the last `ask`.
  bool elsewhere(const std::string& id) const { return elsewhere_.contains(id); }

  // True if other live processes train all runs that are left.
  bool all_elsewhere(const Scheduler& scheduler) const;

  bool time_is_up(double now) const {
    return shared_ && shared_->seconds && now - began_ >= *shared_->seconds;
  }

 private:
  std::optional<Ended> end_elsewhere(const std::filesystem::path& folder, const std::string& id);
  bool known_as_done(const std::string& id, double now);
  Ended fail(const RunToDo& run, const Claim& claim);

  std::filesystem::path workspace_;
  std::optional<SharedWork> shared_;
  const double began_ = steady_seconds();
  ClaimWatch watch_;
  std::map<std::string, std::int64_t> made_;
  std::set<std::string> elsewhere_;
  using Id = std::array<char, 32>;
  std::vector<Id> done_;        // from the submission's list, read occasionally; sorted
  std::size_t found_done_ = 0;  // done runs found since then by looking into their folders
  double read_done_ = -1;
};

}  // namespace runner
