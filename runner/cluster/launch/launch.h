// Where `lcsm run` hands its runs over and ends: the engines of kEngines that it does not wait for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "runner/base/process/exit_code.h"
#include "runner/cluster/launch/work.h"
#include "runner/cluster/slurm/submission.h"

namespace runner {

struct LaunchSettings {
  SweepFile sweep;
  std::filesystem::path workspace;  // absolute
  std::filesystem::path trainer;
  std::string profile;  // of slurm.toml
  Policy policy;
  RunBudget budget;
};

// Everything throws Failure.
class Launch {
 public:
  virtual ~Launch() = default;
  virtual int slots() const = 0;  // runs that train at once, for the plan

  // Before the sweep is planned: brings into the workspace what others have done.
  virtual void bring_back() = 0;

  // What would be done; does nothing.
  virtual void print(const Work& work) const = 0;

  // Hands over what nobody trains yet, and reports it on stdout.
  virtual void submit(const Work& work) = 0;

  // Until nobody trains any more, or SIGINT; the others go on. False: interrupted.
  virtual bool wait() = 0;
};

struct LaunchRow {
  std::string_view name;  // as in kEngines
  std::unique_ptr<Launch> (*make)(const LaunchSettings& settings);
};

// Null for an engine whose runs are this process's own.
std::unique_ptr<Launch> make_launch(std::string_view engine, const LaunchSettings& settings);

// ----- Parts of launches -----

void say(const std::string& text);  // on stderr, after "lcsm run: "

// What elements have to keep to, by the options of `lcsm run`.
ElementRules rules_of(const LaunchSettings& settings);

// The runs that are to start, without those of `known`.
std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known);

// With a new token; `program` as freeze_programs returns it.
Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const std::string& program);

std::string freeze_for(const LaunchSettings& settings);  // lcsm and the trainer

// Of a file that could not be written.
Failure not_submitted(const std::system_error& error);

}  // namespace runner
