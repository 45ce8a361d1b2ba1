// The limits of `lcsm run`: how many runs at a time, on which devices, for how long.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/base/cli/verb.h"
#include "runner/sweeps/schedule/keeper.h"

namespace runner {

struct RunBudget {
  int jobs = 0;  // 0: the number of cores, or GPUs
  std::string gpus = {}, timeout = {}, grace = "1m", still = "10m";
  bool on_any_host = false;  // estimates use all hosts' runs
};

// Adds --jobs, --gpus, --timeout, --grace and --still.
void add_budget_options(Verb& verb, RunBudget* budget);

inline constexpr const char* kBuildTrainer = "build it, or give its path with --trainer";

// The program that trains: the given one, else lcsm-train beside this program. Throws Failure, with
// the advice, if there is none.
std::filesystem::path trainer_program(const std::string& given, const std::string& advice);

// The UUIDs of the selected GPUs: "all", a number, or UUIDs or their first digits, separated by
// commas. Throws Failure if there are no such GPUs.
std::vector<std::string> chosen_gpus(const std::string& text);

// Throws std::invalid_argument for a malformed time.
RunLimits limits_of(const RunBudget& budget);

}  // namespace runner
