// An engine trains the runs of a sweep somewhere. The conductor decides which run starts and which
// must end; the engine does it there and reports the end.
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
  std::int64_t claim = 0;   // the claim made for this start; 0: lcsm-train makes one
};

// The number of runs to start.
inline std::size_t count_to_start(const std::vector<RunToDo>& runs) {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunToDo& run) { return run.job.queued; }));
}

struct RunLimits {
  double timeout_seconds = 0;  // per process; 0 = none
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

  // The names of the devices, at least one. The runs that train at a time are shared out among
  // them.
  virtual std::vector<std::string> devices() const = 0;

  // `folder` holds the configuration. Throws std::system_error.
  virtual void start(std::size_t job, const RunToDo& run, const std::filesystem::path& folder,
                     std::size_t device) = 0;

  // The run writes a checkpoint and ends, which counts as `meaning`; it is killed after the grace
  // period. No effect on a run that does not train or was cancelled before.
  virtual void cancel(std::size_t job, const Ended& meaning) = 0;

  // Asks all runs to end, without a `meaning` and without a kill.
  virtual void stop() = 0;
  virtual void kill() = 0;

  // Returns the events since the last call, without waiting.
  virtual std::vector<EngineReport> poll() = 0;

  // Adds the descriptors that become readable when a run ends.
  virtual void add_handles(std::vector<pollfd>* handles) const = 0;
};

struct EngineRow {
  std::string_view name;  // as in `lcsm run --on`
  std::string_view help;
  // Null: `lcsm run` hands the runs over and exits.
  std::unique_ptr<Engine> (*make)(const EngineSettings& settings);
};

std::unique_ptr<Engine> make_local_engine(const EngineSettings& settings);

inline constexpr std::array kEngines = {
    EngineRow{"local", "processes on this host", make_local_engine},
    EngineRow{"slurm", "job arrays on a cluster, with a profile from slurm.toml", nullptr},
    EngineRow{"hosts", "hosts reached over ssh, listed in hosts.toml", nullptr},
};

}  // namespace runner
