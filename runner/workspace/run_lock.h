// The lock that allows one `lcsm run` per workspace, and its queue of waiting processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lcsm/files/open_file.h"

namespace runner {

inline constexpr const char* kRunLockFile = ".run.lock";
inline constexpr const char* kQueueFolder = "queue";

// A process that runs a workspace, or waits for it. `boot` and `started` identify it in addition to
// its process id (process_facts.h).
struct WorkspaceRunner {
  int process = 0;
  std::string sweep;
  std::string by;     // "ada@abacus"
  std::string since;  // "2026-01-31T12:00:00Z"
  std::string boot;
  std::int64_t started = 0;  // in clock ticks

  std::string name() const;  // "process 123 (quickstart)"
  std::string text() const;  // "process 123 (quickstart) of ada@abacus since 2026-01-31T12:00:00Z"
};

// A place at the end of the queue: a file `queue/N`, locked by the waiting process. Places of
// killed processes do not count.
class QueuePlace {
 public:
  // Throws WriteError.
  QueuePlace(const std::filesystem::path& workspace, const std::string& sweep);
  ~QueuePlace();
  QueuePlace(const QueuePlace&) = delete;
  QueuePlace& operator=(const QueuePlace&) = delete;

  std::vector<WorkspaceRunner> ahead() const;

 private:
  std::filesystem::path workspace_;
  std::int64_t number_ = 0;
  lcsm::OpenFile file_;
};

// A file lock that the kernel releases when the process ends.
class WorkspaceRunLock {
 public:
  // Called while other processes are ahead, the next one first: pauses, or throws to give up.
  using Wait = std::function<void(const std::vector<WorkspaceRunner>& ahead)>;

  // Waits for its turn. Without `wait`, throws std::runtime_error that names the process ahead.
  WorkspaceRunLock(const std::filesystem::path& workspace, const std::string& sweep,
                   const Wait& wait = {});

  void now_runs(const std::string& sweep);  // who_runs() names this sweep from now on

 private:
  lcsm::OpenFile file_;
};

// nullopt: no process runs the workspace.
std::optional<WorkspaceRunner> who_runs(const std::filesystem::path& workspace);

// The processes that wait to run the workspace, the next one first.
std::vector<WorkspaceRunner> who_waits(const std::filesystem::path& workspace);

}  // namespace runner
