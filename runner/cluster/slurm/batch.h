// What is handed to sbatch: the script of an element, and the options of a job array.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/slurm/profile.h"
#include "runner/cluster/slurm/submission.h"

namespace runner {

inline constexpr const char* kScriptFile = "element.sh";  // of the submission's folder

// sh; becomes `lcsm element` of the frozen programs.
std::string element_script(const std::filesystem::path& workspace, const Submission& submission);

// Of an element: "a100:2" are 2.
std::int64_t gpus_of(const SlurmProfile& profile);

// How many runs an element trains at once. `jobs`: as of `lcsm run --jobs`; 0: by its GPUs, or
// CPUs.
std::int64_t runs_at_once(const SlurmProfile& profile, std::int64_t jobs);

// How many elements so many runs need.
std::int64_t elements_for(const SlurmProfile& profile, std::int64_t runs, std::int64_t at_once);

// What the array is found by: "lcsm:TOKEN:0", its comment, and "lcsm-TOKEN-0", its name.
std::string array_comment(const std::string& token, std::size_t array);
std::string array_name(const std::string& token, std::size_t array);

// Beside those of the profile.
std::vector<std::string> array_options(const SlurmProfile& profile,
                                       const std::filesystem::path& workspace,
                                       const std::string& token, std::size_t array,
                                       std::int64_t elements);

// A command that a shell reads as these words.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace runner
