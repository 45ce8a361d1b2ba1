// What `lcsm run` has to do: a sweep planned in its workspace, once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lcsm/base/allowance.h"
#include "results/events/run_folder.h"
#include "results/tables/table.h"
#include "runner/front/run_options.h"
#include "runner/plan/sweep_plan.h"
#include "runner/schedule/conductor.h"

namespace runner {

struct Work {
  SweepFile sweep;
  std::filesystem::path workspace;
  lcsm::Allowance allowed;
  std::vector<std::string> gpus;
  int slots = 1;
  SweepPlan plan = {};
  std::vector<RunToDo> runs = {};              // empty: nothing is to start
  std::vector<results::NamedRun> points = {};  // as plan.runs, where results are to be shown

  results::SweepMark mark() const { return {sweep.name, sweep.title, sweep.paper}; }
};

inline constexpr std::size_t kMostShown = 1000;  // points; of more, no results fill the terminal

// In a workspace that is locked. Marks what other sweeps have run as this one's, and notes in the
// workspace that this sweep runs. `retry`: runs that have failed are started again.
Work prepare_work(const SweepFile& sweep, const std::filesystem::path& workspace,
                  const SweepRequest& request, const RunBudget& budget, bool retry);

}  // namespace runner
