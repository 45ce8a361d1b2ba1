// Where the runs of a sweep train. The conductor decides which run starts and which is to end; an
// engine starts it there, passes the request on, and reports the end.
#pragma once

#include <poll.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/process/child_process.h"
#include "runner/sweeps/schedule/scheduler.h"

namespace runner {

struct RunToDo {
  Job job = {};
  std::string name = {};    // "model.code = ssm, seed = 1"
  std::string config = {};  // TOML, resolved
  int threads = 0;          // run.threads; 0: the share of the cores that a run gets
  double disk_bytes = 0;    // that it may write, roughly
  std::int64_t claim = 0;   // made for this start; 0: lcsm-train makes one
};

// How many of these runs are to be started.
inline std::size_t count_to_start(const std::vector<RunToDo>& runs) {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunToDo& run) { return run.job.queued; }));
}

struct RunLimits {
  double timeout_seconds = 0;  // of one process; 0 = none
  double grace_seconds = 60;   // between the request to end and the kill
  double stall_seconds = 600;  // without an event and without CPU time; 0 = never reported
  std::uintmax_t log_bytes = 64'000'000;
};

struct EngineSettings {
  std::filesystem::path workspace = {}, trainer = {};
  int threads = 1;                     // of a run
  std::vector<std::string> gpus = {};  // UUIDs; none: runs train on the CPU
  RunLimits limits = {};
};

struct EngineReport {
  std::size_t job = 0;
  std::string text;            // for the user; may be empty
  std::optional<Ended> ended;  // none: the run continues
};

class Engine {
 public:
  virtual ~Engine() = default;

  // By name, at least one: the runs that train at a time are shared out among them.
  virtual std::vector<std::string> devices() const = 0;

  // `folder` holds the configuration. Throws std::system_error.
  virtual void start(std::size_t job, const RunToDo& run, const std::filesystem::path& folder,
                     std::size_t device) = 0;

  // The run writes a checkpoint and ends, which counts as `meaning`; it is killed after the grace.
  // No effect on a run that does not train or has been cancelled before.
  virtual void cancel(std::size_t job, const Ended& meaning) = 0;

  // The same for all runs, without a meaning and without a kill.
  virtual void stop() = 0;
  virtual void kill() = 0;

  // What has happened since the last call. Does not wait.
  virtual std::vector<EngineReport> poll() = 0;

  // Adds what becomes readable when a run has ended.
  virtual void add_handles(std::vector<pollfd>* handles) const = 0;
};

struct EngineRow {
  std::string_view name;  // as in `lcsm run --on`
  std::string_view help;
  // Null: `lcsm run` hands the runs over and ends.
  std::unique_ptr<Engine> (*make)(const EngineSettings& settings);
};

std::unique_ptr<Engine> make_local_engine(const EngineSettings& settings);

inline constexpr std::array kEngines = {
    EngineRow{"local", "processes on this host", make_local_engine},
    EngineRow{"slurm", "job arrays of a cluster, by a profile of slurm.toml", nullptr},
    EngineRow{"hosts", "hosts that ssh reaches, listed in hosts.toml", nullptr},
};

}  // namespace runner
