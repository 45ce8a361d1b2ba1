// Reports the end of `lcsm run`: tables and figures, counts, --on-finish, the exit code.
#pragma once

#include <map>
#include <string>

#include "runner/sweeps/schedule/on_finish.h"
#include "runner/sweeps/schedule/work.h"

namespace runner {

using EndStates = std::map<std::string, results::RunState>;  // by run

// The states of all points of the sweep: from `result` for its runs, from the plan for the others.
EndStates states_of(const SweepPlan& plan);
EndStates states_of(const Work& work, const SweepRunResult& result);
RunCounts counts_of(const EndStates& states);

// Updates results.db, and prints tables, claims and figures. A database error is no failure, since
// the runs are done. `name`: the sweep's, as typed.
void show_results(const std::string& name, const SweepRequest& request, const Work& work,
                  bool with_views);

// Prints "mine: 4 done, 0 failed, 0 left of 4".
void print_summary(const SweepEnd& end);

// Runs the command of --on-finish, if there is one.
void finish(const std::string& on_finish, const SweepEnd& end);

// Throws Failure unless all runs are done or cancelled; says how `retry` starts cancelled ones.
void judge(const SweepEnd& end, const std::string& retry);

}  // namespace runner
