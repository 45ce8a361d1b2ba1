#include "runner/workspace_run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "results/file_lock.h"
#include "runner/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockFile = ".run.lock";
constexpr const char* kProof = ", boot ";  // what stands behind it is for those who doubt

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

}  // namespace

WorkspaceRunLock::WorkspaceRunLock(const fs::path& workspace, const std::string& sweep) {
  const fs::path path = workspace / kLockFile;
  file_ = results::OpenFile(path, O_RDWR | O_CREAT);
  if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path.string());
  if (!results::lock_for_writing(file_.handle()))
    throw std::runtime_error("this workspace is run by " + who_runs(workspace) +
                             ": `lcsm watch` shows it; wait for it, stop it, or take another "
                             "workspace by --workspace DIR");
  if (ftruncate(file_.handle(), 0) == 0) results::write_all(file_.handle(), signature(sweep));
}

std::string who_runs(const fs::path& workspace) {
  const fs::path path = workspace / kLockFile;
  if (!results::is_being_written(path)) return "";
  const std::string text = text_of(path);
  return text.substr(0, text.find(kProof));
}

}  // namespace runner
