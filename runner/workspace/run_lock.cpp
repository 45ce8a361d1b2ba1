#include "runner/workspace/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/whole_file.h"
#include "results/files/file_lock.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRunLockSchema = "lcsm.lock/1";
constexpr int kMoments = 500, kMoment = 20000;  // microseconds

WorkspaceRunner this_process(const std::string& sweep) {
  const auto facts = facts_of_process(getpid());
  return {getpid(), sweep, user_at_host(), utc_now(), boot_id(), facts ? facts->started : 0};
}

std::string json_text(const WorkspaceRunner& runner) {
  const Json json = {{"schema", kRunLockSchema}, {"process", runner.process},
                     {"sweep", runner.sweep},    {"by", runner.by},
                     {"since", runner.since},    {"boot", runner.boot},
                     {"started", runner.started}};
  return printed_json(json, -1);
}

// nullopt: the file is being written, or is of another version.
std::optional<WorkspaceRunner> read_runner(const fs::path& file) {
  const Json json = read_json_file(file);
  try {
    if (!json.is_object() || json.at("schema") != kRunLockSchema) return std::nullopt;
    return WorkspaceRunner{json.at("process"), json.at("sweep"), json.at("by"),
                           json.at("since"),   json.at("boot"),  json.at("started")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

// True if this process is alive, and not another one with its number; always true on another host.
bool may_live(const WorkspaceRunner& runner) {
  if (runner.boot != boot_id()) return true;
  const auto facts = facts_of_process(runner.process);
  return facts && facts->state != 'Z' && facts->started == runner.started;
}

// Tries for a moment, since a child holds the lock if `lcsm run` is killed between fork and exec.
bool lock(const fs::path& path, int handle) {
  for (int i = 0; i < kMoments; ++i) {
    if (results::lock_for_writing(handle)) return true;
    if (const auto runner = read_runner(path); runner && may_live(*runner)) return false;
    usleep(kMoment);
  }
  return false;
}

}  // namespace

std::string WorkspaceRunner::name() const {
  return process == 0 ? "another process" : fmt::format("process {} ({})", process, sweep);
}

std::string WorkspaceRunner::text() const {
  return process == 0 ? name() : fmt::format("{} of {} since {}", name(), by, since);
}

WorkspaceRunLock::WorkspaceRunLock(const fs::path& workspace, const std::string& sweep) {
  const fs::path path = workspace / kRunLockFile;
  lcsm::refuse_links(path);
  file_ = lcsm::OpenFile(path, O_RDWR | O_CREAT);
  if (!file_.is_open()) throw std::system_error(errno, std::generic_category(), path.string());
  if (!lock(path, file_.handle()))
    throw std::runtime_error("this workspace is in use by " +
                             who_runs(workspace).value_or(WorkspaceRunner{}).text() +
                             ": `lcsm watch` shows it; wait for it, stop it, or use another "
                             "workspace with --workspace DIR");
  if (ftruncate(file_.handle(), 0) == 0)
    lcsm::write_all(file_.handle(), json_text(this_process(sweep)));
}

std::optional<WorkspaceRunner> who_runs(const fs::path& workspace) {
  const fs::path path = workspace / kRunLockFile;
  if (!results::is_being_written(path)) return std::nullopt;
  return read_runner(path).value_or(WorkspaceRunner{});
}

}  // namespace runner
