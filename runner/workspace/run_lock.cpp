#include "runner/workspace/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "results/files/file_lock.h"
#include "runner/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".run.lock";
constexpr const char* kProof = ", boot ";       // what stands behind it is for those who doubt
constexpr int kMoments = 500, kMoment = 20000;  // microseconds

std::string text_of(const fs::path& path) {
  std::ifstream text(path);
  return {std::istreambuf_iterator<char>(text), {}};
}

std::string signature(const std::string& sweep) {
  const auto facts = facts_of_process(getpid());
  return fmt::format("process {} ({}) of {} since {}{}{}, started at tick {}", getpid(), sweep,
                     user_at_host(), utc_now(), kProof, boot_id().substr(0, 8),
                     facts ? facts->started : 0);
}

// Whether the process that wrote it lives, and not another of its number; one of another machine
// may.
bool may_live(const std::string& signature) {
  const auto proof = signature.find(kProof);
  int process = 0;
  long long tick = -1;
  char boot[9] = "";
  if (proof == std::string::npos || std::sscanf(signature.c_str(), "process %d", &process) != 1 ||
      std::sscanf(signature.c_str() + proof, ", boot %8[^,], started at tick %lld", boot, &tick) !=
          2)
    return false;
  if (boot_id().substr(0, 8) != boot) return true;
  const auto facts = facts_of_process(process);
  return facts && facts->state != 'Z' && static_cast<long long>(facts->started) == tick;
}

// Where `lcsm run` is killed between the fork and the exec of a child, that child holds the lock
// for a moment longer.
bool lock(const fs::path& path, int handle) {
  for (int i = 0; i < kMoments; ++i) {
    if (results::lock_for_writing(handle)) return true;
    if (may_live(text_of(path))) return false;
    usleep(kMoment);
  }
  return false;
}

}  // namespace

WorkspaceRunLock::WorkspaceRunLock(const fs::path& workspace, const std::string& sweep) {
  const fs::path path = workspace / kLockFile;
  file_ = lcsm::OpenFile(path, O_RDWR | O_CREAT);
  if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path.string());
  if (!lock(path, file_.handle()))
    throw std::runtime_error("this workspace is run by " + who_runs(workspace) +
                             ": `lcsm watch` shows it; wait for it, stop it, or take another "
                             "workspace by --workspace DIR");
  if (ftruncate(file_.handle(), 0) == 0) lcsm::write_all(file_.handle(), signature(sweep));
}

std::string who_runs(const fs::path& workspace) {
  const fs::path path = workspace / kLockFile;
  if (!results::is_being_written(path)) return "";
  const std::string text = text_of(path);
  return text.substr(0, text.find(kProof));
}

}  // namespace runner
