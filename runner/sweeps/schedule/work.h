// Plans a sweep in its workspace: the work of `lcsm run`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lcsm/base/allowance.h"
#include "results/events/run_folder.h"
#include "results/tables/table.h"
#include "runner/sweeps/plan/sweep_plan.h"
#include "runner/sweeps/schedule/conductor.h"
#include "runner/sweeps/schedule/run_budget.h"

namespace runner {

struct Work {
  SweepFile sweep;
  std::filesystem::path workspace;
  lcsm::Allowance allowed;
  std::vector<std::string> gpus;
  int slots = 1;
  bool needs_gpu = false;  // a run that is to start has run.device = "cuda"
  SweepPlan plan = {};
  std::vector<RunToDo> runs = {};              // empty: no run is to start
  std::vector<results::NamedRun> points = {};  // parallel to plan.runs, if results are shown

  results::SweepMark mark = {};  // of its runs
};

inline constexpr std::size_t kMostShown =
    1000;  // points; results of more are not printed at the end

// The caller has locked the workspace. Marks other sweeps' runs that are points of this sweep, and
// records in the workspace that this sweep runs. `retry`: also starts failed runs.
Work prepare_work(const SweepFile& sweep, const std::filesystem::path& workspace,
                  const SweepRequest& request, const RunBudget& budget, bool retry);

// Plans the work for printing only, without marks and records.
Work look_at_work(const SweepFile& sweep, const std::filesystem::path& workspace,
                  const SweepRequest& request, const RunBudget& budget, bool retry);

// Marks runs of other sweeps that are points of this one, too.
void mark_points(const Work& work);

// Throws Failure if a run needs a GPU and this host has none.
void require_gpu(const Work& work);

// Reports missing data on stderr, before anything starts. Throws Failure if no run has its data.
void report_missing_data(const SweepPlan& plan);

}  // namespace runner
