// Calls ssh and rsync without prompts and with timeouts. Errors say what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/cluster/hosts/host.h"

namespace runner {

class HostError : public std::runtime_error {
 public:
  HostError(const std::string& what, bool unreached)
      : std::runtime_error(what), unreached_(unreached) {}
  // True if the host did not answer. It may still have carried out the command, or be doing so.
  bool unreached() const { return unreached_; }

 private:
  bool unreached_;
};

struct HostFacts {
  std::string system;  // "Linux x86_64"
  std::int64_t cores = 1;
  bool rsync = false, writable = false;
  bool shared = false;  // its workspace is the folder here
  std::string busy;     // token of the submission that it trains, or ""
};

enum class ElementPhase { kNone, kRunning, kEnded };  // kNone: it was never started there

struct ElementLook {
  ElementPhase phase = ElementPhase::kNone;
  std::string last;  // the last line of its log
};

// Everything below throws HostError, and Failure (interrupted) once `lcsm run` is told to stop.

// `probe`: a file in the workspace here.
HostFacts facts_of_host(const TrainingHost& host, const std::string& probe);

// Starts a submission's worker on a host that has the submission. No effect if the worker runs.
void start_element(const TrainingHost& host, const std::string& token);
ElementLook look_at_element(const TrainingHost& host, const std::string& token);

// Copies files and folders, given as paths within the workspace; missing ones are skipped. Does not
// copy claims (workspace/claim.h), which belong to processes of one host.
void send_files(const TrainingHost& host, const std::filesystem::path& workspace,
                const std::vector<std::string>& paths);
void send_requests(const TrainingHost& host, const std::filesystem::path& workspace);  // control/

// Fetches regular files and folders only. They belong to this user and have default permissions.
// Returns the paths of everything else, which stays on the host.
std::vector<std::string> fetch_files(const TrainingHost& host,
                                     const std::filesystem::path& workspace,
                                     const std::vector<std::string>& paths, bool with_checkpoints);

// The command line that start_element would run, to be shown.
std::vector<std::string> start_words(const TrainingHost& host, const std::string& token);

}  // namespace runner
