// The input of sbatch: the script of an array task, and the options of a job array.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/slurm/profile.h"
#include "runner/cluster/submission/submission.h"

namespace runner {

inline constexpr const char* kScriptFile = "element.sh";  // in the submission's folder

// A sh script that execs `lcsm element` of the frozen programs.
std::string element_script(const std::filesystem::path& workspace, const Submission& submission);

// The number of GPUs per array task: 2 for "a100:2".
std::int64_t gpus_of(const SlurmProfile& profile);

// The number of runs that an array task trains at once. `jobs`: as in `lcsm run --jobs`; 0: by the
// task's GPUs or, without GPUs, its CPUs.
std::int64_t runs_at_once(const SlurmProfile& profile, std::int64_t jobs);

// The number of array tasks for this many runs.
std::int64_t elements_for(const SlurmProfile& profile, std::int64_t runs, std::int64_t at_once);

// Identifies an array: its comment is "lcsm:TOKEN:0", its name "lcsm-TOKEN-0".
std::string array_comment(const std::string& token, std::size_t array);
std::string array_name(const std::string& token, std::size_t array);

// Options that are added to the profile's.
std::vector<std::string> array_options(const SlurmProfile& profile,
                                       const std::filesystem::path& workspace,
                                       const std::string& token, std::size_t array,
                                       std::int64_t elements);

}  // namespace runner
