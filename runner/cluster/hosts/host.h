// The hosts of `lcsm run --on hosts`: the tables of `hosts.toml`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct TrainingHost {
  std::string name;
  std::string ssh;        // as ssh is to be called: "ada@abacus", a Host of ~/.ssh/config
  std::string workspace;  // its folder there; empty: the same path as here
  std::int64_t jobs = 0;  // runs at a time; 0: one for each GPU, or core
  std::string gpus;       // "all", or as in CUDA_VISIBLE_DEVICES: "0,1"; empty: the CPU
  bool operator==(const TrainingHost&) const = default;
};

// In the order of the file. Errors refer to the file as `path`. Throws SourceErrors with every
// error of the text.
std::vector<TrainingHost> parse_hosts(std::string_view text, const std::string& path);

// `hosts.toml` beside the sweep's file, in the workspace, or in the user's configuration folder,
// the first that exists. Throws std::runtime_error that names the places if there is none.
std::vector<TrainingHost> find_hosts(const std::filesystem::path& sweep_file,
                                     const std::filesystem::path& workspace);

// Runs that all hosts train at a time, for a plan: it is not known how many cores they have.
// `jobs`: of `lcsm run --jobs`.
int slots_of(const std::vector<TrainingHost>& hosts, std::int64_t jobs);

}  // namespace runner
