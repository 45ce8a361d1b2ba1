// Reads `hosts.toml`: one table per host of `lcsm run --on hosts`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct TrainingHost {
  std::string name;
  std::string ssh;        // ssh's destination: "ada@abacus", a Host of ~/.ssh/config
  std::string workspace;  // the workspace on the host; empty: the path of the one here
  std::int64_t jobs = 0;  // runs at a time; 0: one for each GPU, or core
  std::string gpus;       // "all", or as in CUDA_VISIBLE_DEVICES: "0,1"; empty: the CPU
  bool operator==(const TrainingHost&) const = default;
};

// Returns the error in a host's values, as part of a sentence; "" if they are valid. The values
// become arguments of ssh and rsync and parts of paths, so hosts from files other than hosts.toml
// are checked, too.
std::string wrong_with(const TrainingHost& host);

// Returns the hosts in the order of the file. Errors refer to the file as `path`. Throws
// SourceErrors with every error of the text.
std::vector<TrainingHost> parse_hosts(std::string_view text, const std::string& path);

// Reads `hosts.toml` (find_configuration).
std::vector<TrainingHost> find_hosts(const std::filesystem::path& sweep_file,
                                     const std::filesystem::path& workspace);

// The number of runs that all hosts train at a time, for a plan, which does not know their cores.
// `jobs`: as in `lcsm run --jobs`.
int slots_of(const std::vector<TrainingHost>& hosts, std::int64_t jobs);

}  // namespace runner
