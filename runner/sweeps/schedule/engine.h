// An engine trains the runs of sweeps somewhere: in processes of this host, in jobs of a cluster,
// on hosts over ssh. All that `lcsm` knows of it is in this interface and in its row of kEngines
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
  std::optional<SweepFile> sweep = {};  // none: the engine is only asked about its workspace
  std::string trainer = {}, profile = {};
  Policy policy = {};
  RunBudget budget = {};
};

// What an engine adds to `lcsm plan`.
struct EngineCost {
  std::string text;             // lines of the page
  nlohmann::ordered_json json;  // under the engine's name; null: nothing
};

// What an engine adds to `lcsm doctor`, under its name.
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

  // What `start` would do, as the user would type or list it.
  virtual std::string plan(const Work& work) const = 0;

  // Fetches finished runs into the workspace. Called before the sweep is planned.
  virtual void fetch() {}

  // Starts the runs that nothing trains yet. An attended engine trains them within `watch`; any
  // other reports on stdout what it has handed over.
  virtual void start(const Work& work) = 0;

  // Returns once no run of the sweep trains any more, or at SIGINT: then an attended engine has
  // stopped its runs, and those of any other go on. Only an attended engine calls the watcher and
  // knows the runs' states.
  virtual SweepRunResult watch(const Work& work, const SweepRunWatcher& watcher) = 0;

  // ----- The workspace: what this and other processes have handed over -----

  // "job 123: 8 running"; "" if nothing trains. Cheap enough to be called every second.
  virtual std::string running(double) { return ""; }

  // The reasons why a run is pending, one per line; none if the engine does not have it.
  virtual std::vector<std::string> why(const std::string&) { return {}; }

  // Gives up what waits only for runs of `over`, which are done or cancelled. Running workers see
  // requests in the workspace by themselves. Returns a line per job.
  virtual std::vector<std::string> cancel(const std::set<std::string>&) { return {}; }

  virtual std::optional<EngineCheck> check() const { return std::nullopt; }

  // ----- This process, a worker (`lcsm element`) that the engine has started -----

  virtual bool is_here() const { return false; }

  // Until the engine ends it; nullopt: no limit. `file` is where users raise that.
  virtual std::optional<double> seconds_left() const { return std::nullopt; }
  virtual std::string_view file() const { return ""; }

  // Queues this worker again, not on these nodes. Returns an error message, "" if that worked.
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
