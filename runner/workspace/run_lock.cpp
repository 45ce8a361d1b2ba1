#include "runner/workspace/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "lcsm/files/whole_file.h"
#include "results/files/file_lock.h"
#include "results/text/number_text.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kRunLockSchema = "lcsm.lock/1";
constexpr std::int64_t kPlaces = 1'000'000'000;
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

// True if this process is alive, and not another process with its id; always true for another host.
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

[[noreturn]] void cannot_write(const fs::path& path) {
  throw lcsm::WriteError(errno, "'" + path.string() + "' cannot be written: " +
                                    std::strerror(errno) + "; choose another workspace");
}

fs::path place_file(const fs::path& workspace, std::int64_t number) {
  return workspace / kQueueFolder / std::to_string(number);
}

// The numbers of the files in queue/, in order.
std::vector<std::int64_t> places(const fs::path& workspace) {
  std::vector<std::int64_t> numbers;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(workspace / kQueueFolder, none)) {
    const auto number = results::whole_number_in(entry.path().filename().string());
    if (number && *number > 0 && *number < kPlaces) numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// False if another process has removed the place before it was locked.
bool is_ours(const lcsm::OpenFile& place) {
  struct stat facts {};
  return place.is_open() && results::lock_for_writing(place.handle()) &&
         fstat(place.handle(), &facts) == 0 && facts.st_nlink > 0;
}

void remove_dead_places(const fs::path& workspace) {
  for (const std::int64_t number : places(workspace)) {
    const fs::path path = place_file(workspace, number);
    const lcsm::OpenFile file(path, O_RDWR);
    std::error_code gone;
    if (file.is_open() && results::lock_for_writing(file.handle())) fs::remove(path, gone);
  }
}

// The processes at places before `number`.
std::vector<WorkspaceRunner> waiting(const fs::path& workspace, std::int64_t number) {
  std::vector<WorkspaceRunner> runners;
  for (const std::int64_t place : places(workspace)) {
    const fs::path file = place_file(workspace, place);
    if (place < number && results::is_being_written(file))
      runners.push_back(read_runner(file).value_or(WorkspaceRunner{}));
  }
  return runners;
}

}  // namespace

std::string WorkspaceRunner::name() const {
  return process == 0 ? "another process" : fmt::format("process {} ({})", process, sweep);
}

std::string WorkspaceRunner::text() const {
  return process == 0 ? name() : fmt::format("{} of {} since {}", name(), by, since);
}

QueuePlace::QueuePlace(const fs::path& workspace, const std::string& sweep)
    : workspace_(workspace) {
  lcsm::create_folder(workspace / kQueueFolder);
  remove_dead_places(workspace);
  while (!is_ours(file_)) {
    const std::vector<std::int64_t> taken = places(workspace);
    number_ = taken.empty() ? 1 : taken.back() + 1;
    const fs::path path = place_file(workspace, number_);
    file_ = lcsm::OpenFile(path, O_RDWR | O_CREAT | O_EXCL);
    if (!file_.is_open() && errno != EEXIST) cannot_write(path);
  }
  lcsm::write_all(file_.handle(), json_text(this_process(sweep)));
}

QueuePlace::~QueuePlace() {
  std::error_code gone;
  fs::remove(place_file(workspace_, number_), gone);
}

std::vector<WorkspaceRunner> QueuePlace::ahead() const { return waiting(workspace_, number_); }

WorkspaceRunLock::WorkspaceRunLock(const fs::path& workspace, const std::string& sweep,
                                   const Wait& wait) {
  const fs::path path = workspace / kRunLockFile;
  lcsm::refuse_links(path);
  file_ = lcsm::OpenFile(path, O_RDWR | O_CREAT);
  if (!file_.is_open()) cannot_write(path);
  std::vector<WorkspaceRunner> ahead = who_waits(workspace);
  if (!ahead.empty() || !lock(path, file_.handle())) {
    if (!wait)
      throw std::runtime_error("this workspace is in use by " +
                               who_runs(workspace).value_or(WorkspaceRunner{}).text());
    const QueuePlace place(workspace, sweep);
    while (!(ahead = place.ahead()).empty() || !lock(path, file_.handle())) {
      if (const auto runner = who_runs(workspace)) ahead.insert(ahead.begin(), *runner);
      wait(ahead);
    }
  }
  now_runs(sweep);
}

void WorkspaceRunLock::now_runs(const std::string& sweep) {
  if (ftruncate(file_.handle(), 0) == 0 && lseek(file_.handle(), 0, SEEK_SET) == 0)
    lcsm::write_all(file_.handle(), json_text(this_process(sweep)));
}

std::optional<WorkspaceRunner> who_runs(const fs::path& workspace) {
  const fs::path path = workspace / kRunLockFile;
  if (!results::is_being_written(path)) return std::nullopt;
  return read_runner(path).value_or(WorkspaceRunner{});
}

std::vector<WorkspaceRunner> who_waits(const fs::path& workspace) {
  return waiting(workspace, kPlaces);
}

}  // namespace runner
