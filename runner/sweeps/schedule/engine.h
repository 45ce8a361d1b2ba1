// An engine trains the runs of sweeps somewhere: in processes of this host, in jobs of a cluster,
// on hosts over ssh. `lcsm` knows an engine only by this interface and its row of kEngines
// (cluster/launch/engines.h).
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runner/sweeps/schedule/work.h"

namespace runner {

struct EngineSettings {
  std::filesystem::path workspace;      // absolute where there is a sweep
  std::optional<SweepFile> sweep = {};  // nullopt: for functions about the workspace
  std::string trainer = {}, profile = {};
  Policy policy = {};
  RunBudget budget = {};
};

// An engine's part of `lcsm plan`.
struct EngineCost {
  std::string text;             // lines of the page
  nlohmann::ordered_json json;  // under the engine's name; null: nothing
};

// An engine's part of `lcsm doctor`.
struct EngineCheck {
  bool good = true;
  std::string value = {}, advice = {};  // the finding; what to do, if anything
  nlohmann::ordered_json data = {};     // the facts as numbers and names
};

class Engine {
 public:
  virtual ~Engine() = default;

  // ----- A sweep. Everything throws Failure -----

  // Runs that train at once; 0: as many as this host has cores, or GPUs.
  virtual int slots() const = 0;
  virtual EngineCost cost(const SweepPlan&) const { return {}; }

  // What `start` would do, as commands or a list.
  virtual std::string plan(const Work& work) const = 0;

  // Fetches finished runs into the workspace. Called before the sweep is planned.
  virtual void fetch() {}

  // Starts the runs that nothing trains yet. An attended engine trains them in `watch`; any other
  // submits them and reports that on stdout.
  virtual void start(const Work& work) = 0;

  // Returns once no run of the sweep trains any more, or at SIGINT, which stops the runs of an
  // attended engine only. Only an attended engine calls the watcher and knows the runs' states.
  virtual SweepRunResult watch(const Work& work, const SweepRunWatcher& watcher) = 0;

  // ----- The workspace: runs that this and other processes have submitted -----

  // "job 123: 8 running"; "" if nothing trains. Cheap enough to be called every second.
  virtual std::string running(double) { return ""; }

  // Passes requests on to workers that do not read this workspace. Returns who has them, or gets
  // them later, one per line.
  virtual std::vector<std::string> pass_requests_on() {
    const std::string who = running(0);
    return who.empty() ? std::vector<std::string>() : std::vector{who};
  }

  // The reasons why a run is pending, one per line; empty if the engine does not have the run.
  virtual std::vector<std::string> why(const std::string&) { return {}; }

  // Cancels pending jobs that have only runs of `over`, which are done or cancelled. Running
  // workers read requests from the workspace themselves. Returns a line per job.
  virtual std::vector<std::string> cancel(const std::set<std::string>&) { return {}; }

  virtual std::optional<EngineCheck> check() const { return std::nullopt; }

  // ----- This process, a worker (`lcsm element`) that the engine has started -----

  virtual bool is_here() const { return false; }

  // The cores that the engine gave to this worker; nullopt: all that it may use.
  virtual std::optional<int> cores() const { return std::nullopt; }

  // Seconds until the engine ends this worker; nullopt: no limit. Users raise the limit in `file`.
  virtual std::optional<double> seconds_left() const { return std::nullopt; }
  virtual std::string_view file() const { return ""; }

  // Requeues this worker, excluding these nodes. Returns an error message, "" if that worked.
  virtual std::string requeue(const std::set<std::string>&) { return "cannot be queued again"; }
};

// The engine of `lcsm run --on local`, the default: runs are child processes of `lcsm run`.
std::unique_ptr<Engine> make_local_engine(const EngineSettings& settings);

struct EngineRow {
  std::string_view name;  // as in `lcsm run --on`
  std::string_view help;
  bool attended = false;  // runs train only while `lcsm run` lives
  std::unique_ptr<Engine> (*make)(const EngineSettings& settings);
};

}  // namespace runner
