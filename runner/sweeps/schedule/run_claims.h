// Which runs of a sweep this process may start: it makes a claim on a run before it starts it, and
// notes its end.
//
// Elements of a submission also list the runs that are done, as empty files of its folder `done/`:
// of 100 000 runs an element learns so by one listing of a folder, not by 100 000 looks.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/base/process/steady_time.h"
#include "runner/sweeps/schedule/engine.h"
#include "runner/sweeps/schedule/shared_work.h"
#include "runner/workspace/claim_watch.h"

namespace runner {

class RunClaims {
 public:
  RunClaims(const std::filesystem::path& workspace, const std::optional<SharedWork>& shared)
      : workspace_(workspace), shared_(shared) {}

  struct Answer {
    std::int64_t claim = 0;          // made: the run may start
    std::optional<Ended> over = {};  // or nothing is left to do
    double wait = 0;                 // or seconds until it is worth asking again
  };
  // Throws std::system_error.
  Answer ask(const RunToDo& run, double now);

  // The training that began with a claim has ended.
  void ended(const RunToDo& run, results::RunState end);

  // Whether another process is known to train it, as `ask` answered last.
  bool elsewhere(const std::string& id) const { return elsewhere_.contains(id); }

  // Nothing is left to start but runs that others train: they are theirs as long as they live.
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
  std::vector<Id> done_;        // of the submission's list, read now and then; sorted
  std::size_t found_done_ = 0;  // runs since then, each by a look at its folder
  double read_done_ = -1;
};

}  // namespace runner
