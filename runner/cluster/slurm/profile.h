// The profiles of a cluster, the tables of `slurm.toml`: the resources that one job of a sweep
// requests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/files/source_error.h"

namespace runner {

inline constexpr const char* kProfilesFile = "slurm.toml";

struct SlurmProfile {
  std::string name;
  std::string partition, account, qos;  // empty: the cluster's default
  std::int64_t time = 0;                // seconds; the time limit of a job
  std::string memory;                   // "32G"; empty: the cluster's default
  std::int64_t cpus = 1;
  std::string gpus;                // "1", "a100:2"; empty: none
  std::int64_t runs_per_gpu = 1;   // at once
  std::int64_t elements = 8;       // array tasks that run at once
  std::int64_t warning = 120;      // seconds from USR2 to the time limit
  std::int64_t silence = 120;      // seconds without a sign of life until a run is taken over
  std::vector<std::string> extra;  // options of sbatch, each "--NAME" or "--NAME=VALUE"
};

// Returns the profiles in the order of the file. Errors refer to the file as `path`. Throws
// SourceErrors with every error of the text.
std::vector<SlurmProfile> parse_slurm_profiles(std::string_view text, const std::string& path);

// An empty name chooses the only profile. Throws std::invalid_argument that names the available
// ones.
const SlurmProfile& choose_profile(const std::vector<SlurmProfile>& profiles,
                                   const std::string& name);

// Reads `slurm.toml` (find_configuration) and chooses the profile.
SlurmProfile find_profile(const std::filesystem::path& sweep_file,
                          const std::filesystem::path& workspace, const std::string& name);

// The profile as options of sbatch. USR2 goes to the batch process alone (B:); otherwise it would
// reach only steps that srun started.
std::vector<std::string> sbatch_options(const SlurmProfile& profile);

}  // namespace runner
