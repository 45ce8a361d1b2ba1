// The training processes of this host, one per run. The conductor decides which run starts and
// which must end; this class starts and ends them, and reports the ends.
#pragma once

#include <poll.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/sweeps/schedule/keeper.h"
#include "runner/sweeps/schedule/scheduler.h"

namespace runner {

struct RunToDo {
  Job job = {};
  std::string name = {};    // "model.code = ssm, seed = 1"
  std::string config = {};  // TOML, resolved
  int threads = 0;          // run.threads; 0: the share of the cores that a run gets
  double disk_bytes = 0;    // approximate bytes that it writes
  std::int64_t claim = 0;   // the claim made for this start; 0: lcsm-train makes one
};

// The number of runs to start.
inline std::size_t count_to_start(const std::vector<RunToDo>& runs) {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunToDo& run) { return run.job.queued; }));
}

struct TrainingSettings {
  std::filesystem::path workspace = {}, trainer = {};
  int threads = 1;                     // of a run
  std::vector<std::string> gpus = {};  // UUIDs; none: runs train on the CPU
  RunLimits limits = {};
};

struct TrainingReport {
  std::size_t job = 0;
  std::string text;            // for the user; may be empty
  std::optional<Ended> ended;  // none: the run continues
};

class TrainingProcesses {
 public:
  virtual ~TrainingProcesses() = default;

  // The names of the devices, at least one. Concurrent runs are distributed among them.
  virtual std::vector<std::string> devices() const = 0;

  // Why no process can be started at present; "" if one can.
  virtual std::string missing() const = 0;

  // `folder` holds the configuration. Throws std::system_error.
  virtual void start(std::size_t job, const RunToDo& run, const std::filesystem::path& folder,
                     std::size_t device) = 0;

  // Makes the run write a checkpoint and end; the end counts as `meaning`. Kills it after the grace
  // period. No effect on a run that does not train or was already cancelled.
  virtual void cancel(std::size_t job, const Ended& meaning) = 0;

  // Asks all runs to end, without a `meaning` and without a kill.
  virtual void stop() = 0;
  virtual void kill() = 0;

  // Returns the events since the last call, without waiting.
  virtual std::vector<TrainingReport> poll() = 0;

  // Adds the descriptors that become readable when a run ends.
  virtual void add_handles(std::vector<pollfd>* handles) const = 0;
};

std::unique_ptr<TrainingProcesses> make_training_processes(const TrainingSettings& settings);

}  // namespace runner
