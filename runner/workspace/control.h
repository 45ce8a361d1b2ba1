// What somebody wants of a workspace's runs: files in `control/`, so that it holds whether or not
// an `lcsm run` is there to hear of it. Each is written whole or not at all; what is wanted of a
// run stands in the file's name, so a look at all of them is a look at one folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace runner {

inline constexpr const char* kControlFolder = "control";

struct Control {
  std::optional<int> jobs;  // runs at a time; 0: nothing new starts
  std::unordered_set<std::string> cancelled;
  // How many bytes of events a run had when somebody wanted it to start again: more by now, and it
  // has started.
  std::unordered_map<std::string, std::int64_t> retries;
};

// Throws std::invalid_argument for a file of jobs that cannot be read.
Control read_control(const std::filesystem::path& workspace);

// It does not start any more, and ends where it runs.
void cancel_run(const std::filesystem::path& workspace, const std::string& id);

// A cancelled run may start, one that has failed starts once more.
void retry_run(const std::filesystem::path& workspace, const std::string& id);

// None: as `lcsm run` is told.
void set_jobs(const std::filesystem::path& workspace, std::optional<int> jobs);

// Whether somebody wants it to start again and it has not yet.
bool wants_retry(const Control& control, const std::filesystem::path& workspace,
                 const std::string& id);

// Who wants what of a run, "cancelled by ada@abacus at 2026-01-31T12:00:00Z"; "" where nobody does.
std::string who_wants(const std::filesystem::path& workspace, const std::string& id);

// Nobody wants it to start again any more: it has. For the one `lcsm run` of a workspace.
void forget_retry(const std::filesystem::path& workspace, const std::string& id);

// Forgets those who wanted runs to start again that have; as above.
void forget_started(const std::filesystem::path& workspace);

// Sees that something has changed, by one look at the folder.
class ControlWatch {
 public:
  explicit ControlWatch(const std::filesystem::path& workspace);
  bool changed();  // since the last call; the first one says yes

 private:
  std::filesystem::path folder_;
  std::int64_t seen_ = -1;
  bool sure_ = false;
};

}  // namespace runner
