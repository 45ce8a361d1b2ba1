// `lcsm run --on slurm`: hands what is missing of a sweep to the cluster.
#pragma once

#include <filesystem>
#include <string>

#include "runner/slurm/profile.h"
#include "runner/slurm/submission.h"
#include "runner/verbs/run_work.h"

namespace runner {

struct SlurmRun {
  SlurmProfile profile;
  std::filesystem::path trainer;
  ElementRules rules;
};

// Of that name, or the only one. Throws Failure if there is none for the sweep.
SlurmProfile profile_for(const SweepFile& sweep, const std::filesystem::path& workspace,
                         const std::string& name);

// The profile that the options choose, and what follows from it for the elements.
SlurmRun slurm_run(const SweepFile& sweep, const std::filesystem::path& workspace,
                   const std::string& profile, const std::filesystem::path& trainer,
                   const Policy& policy, const RunBudget& budget);

// The runs that its elements train at once, for the plan. `jobs`: of `lcsm run --jobs`.
int slots_of(const SlurmProfile& profile, int jobs);

// Prints scripts and commands; submits nothing, writes nothing.
void print_scripts(const SlurmRun& run, const Work& work);

// Submits what no element in the queue trains, and reports it on stdout. Throws Failure.
void submit_work(const SlurmRun& run, const Work& work);

// Until no element is left in the queue or SIGINT; the cluster goes on. False: interrupted.
bool wait_for_cluster(const Work& work);

}  // namespace runner
