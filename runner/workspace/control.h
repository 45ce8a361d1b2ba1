// Requests about a workspace's runs: files in `control/`, valid with or without an active `lcsm
// run`. Each is written atomically. A request about a run is in the file's name, so that one
// listing of the folder reads all requests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace runner {

inline constexpr const char* kControlFolder = "control";
inline constexpr int kMostJobs = 4096;

struct Control {
  std::optional<int> jobs;  // runs at a time; 0: no run starts
  std::unordered_set<std::string> cancelled;
  // The size in bytes of a run's event file when its retry was requested; it grows once the run has
  // started.
  std::unordered_map<std::string, std::int64_t> retries;
};

// Throws std::invalid_argument if the file for jobs is malformed.
Control read_control(const std::filesystem::path& workspace);

// Prevents the runs' start, and ends running ones.
void cancel_runs(const std::filesystem::path& workspace, const std::vector<std::string>& ids);

// Lets cancelled runs start again, and retries failed ones once.
void retry_runs(const std::filesystem::path& workspace, const std::vector<std::string>& ids);

// nullopt: back to the --jobs of `lcsm run`.
void set_jobs(const std::filesystem::path& workspace, std::optional<int> jobs);

// True if a retry was requested and the run has not started since.
bool wants_retry(const Control& control, const std::filesystem::path& workspace,
                 const std::string& id);

// "cancelled by ada@abacus at 2026-01-31T12:00:00Z"; "" if nothing was requested.
std::string who_wants(const std::filesystem::path& workspace, const std::string& id);

// Removes the request to retry a run that has started. Only for the `lcsm run` of the workspace.
void forget_retry(const std::filesystem::path& workspace, const std::string& id);

// Removes all requests to retry runs that have started; as above.
void forget_started(const std::filesystem::path& workspace);

// Detects changes by one stat of the folder.
class ControlWatch {
 public:
  explicit ControlWatch(const std::filesystem::path& workspace);
  bool changed();  // since the last call; true for the first

 private:
  std::filesystem::path folder_;
  std::int64_t seen_ = -1;
  bool sure_ = false;
};

}  // namespace runner
