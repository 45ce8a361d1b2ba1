// Engines that `lcsm run` hands its runs to without waiting for them: rows of kEngines.
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

  // Fetches finished runs into the workspace. Called before the sweep is planned.
  virtual void bring_back() = 0;

  // Prints what would be submitted, without doing it.
  virtual void print(const Work& work) const = 0;

  // Submits the runs that nothing trains yet, and reports it on stdout.
  virtual void submit(const Work& work) = 0;

  // Waits until no run of the submission trains any more. Returns false after SIGINT; the runs go
  // on.
  virtual bool wait() = 0;
};

struct LaunchRow {
  std::string_view name;  // as in kEngines
  std::unique_ptr<Launch> (*make)(const LaunchSettings& settings);
};

// Null for an engine that trains runs in this process's children.
std::unique_ptr<Launch> make_launch(std::string_view engine, const LaunchSettings& settings);

// ----- Parts of launches -----

void say(const std::string& text);  // on stderr, after "lcsm run: "

// The rules for array tasks that follow from the options of `lcsm run`.
ElementRules rules_of(const LaunchSettings& settings);

// The runs to start, except those in `known`.
std::vector<RunToDo> runs_to_submit(const Work& work, const std::set<std::string>& known);

// Creates a submission with a new token; `program` as freeze_programs returns it.
Submission submission_of(const Work& work, const std::vector<RunToDo>& runs,
                         const ElementRules& rules, const std::string& program);

std::string freeze_for(const LaunchSettings& settings);  // lcsm and the trainer

// The error for a file of a submission that could not be written.
Failure not_submitted(const std::system_error& error);

}  // namespace runner
