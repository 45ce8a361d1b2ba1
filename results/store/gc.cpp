#include "results/store/gc.h"

#include <fcntl.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <system_error>

#include "results/events/run_folder.h"
#include "results/files/durable_file.h"
#include "results/files/file_lock.h"
#include "results/store/metric.h"
#include "results/store/run_rows.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpoints = "checkpoints";
constexpr const char* kGone = ".gone-";

// The step of a folder of that name.
std::optional<std::int64_t> step_of(const std::string& name) {
  std::int64_t step = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), step);
  const bool whole = error == std::errc{} && end == name.data() + name.size() && step >= 0;
  return whole ? std::optional(step) : std::nullopt;
}

std::uintmax_t bytes_of(const fs::path& path) {
  if (!fs::is_directory(fs::symlink_status(path)))
    return fs::is_regular_file(fs::symlink_status(path)) ? fs::file_size(path) : 0;
  std::uintmax_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(path))
    bytes += bytes_of(entry.path());
  return bytes;
}

// Sorted, without what links lead to.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  if (!fs::is_directory(fs::symlink_status(folder))) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// Steps at which a validation metric is best, and those of what the run calls its best.
std::set<std::int64_t> best_steps(Database& database, std::int64_t run) {
  std::set<std::int64_t> steps;
  Statement select(database,
                   "SELECT metric, lowest_step, highest_step FROM summaries WHERE run = ?1 AND "
                   "metric LIKE 'valid.%'");
  select.bind_all(run);
  while (select.step()) {
    const int column = lower_is_better(select.text(0)) ? 1 : 2;
    if (!select.is_null(column)) steps.insert(select.integer(column));
  }
  Statement named(database, "SELECT step FROM artefacts WHERE run = ?1 AND kind = 'best'");
  named.bind_all(run);
  while (named.step()) steps.insert(named.integer(0));
  return steps;
}

class Finder {
 public:
  Finder(Database& database, const fs::path& workspace)
      : database_(database), workspace_(workspace) {}

  GarbageReport find() {
    for (const std::string& id : run_ids(workspace_)) look_into(id);
    return std::move(report_);
  }

 private:
  void look_into(const std::string& id) {
    const fs::path folder = run_folder(workspace_, id);
    Statement select(database_, "SELECT status FROM runs WHERE id = ?1");
    select.bind_all(std::string_view(id));
    const auto pass_over = [&](const char* why) {
      report_.passed_over.push_back(std::string(kRunsFolder) + "/" + id + " " + why);
    };
    if (is_being_written(folder / kEventFile)) return pass_over("is being written");
    if (!select.step()) return pass_over("has no event file that can be believed");
    find_leftovers(id, folder);
    find_checkpoints(id, folder, stored_state(select.text(0)) == RunState::kDone);
  }

  void add(const std::string& id, const fs::path& folder, const std::string& path,
           const std::string& why) {
    report_.found.push_back({id, path, why, bytes_of(folder / path)});
  }

  // Names that nothing whole has; the writer that made them is gone.
  void find_leftovers(const std::string& id, const fs::path& folder) {
    for (const std::string& below : {std::string(), std::string(kCheckpoints) + "/"})
      for (const std::string& name : names_in(folder / below))
        if (name.starts_with('.') || name.ends_with(".tmp"))
          add(id, folder, below + name, "left by a process that was killed");
  }

  void find_checkpoints(const std::string& id, const fs::path& folder, bool done) {
    std::vector<std::int64_t> steps;
    for (const std::string& name : names_in(folder / kCheckpoints))
      if (const auto step = step_of(name);
          step && fs::is_directory(fs::symlink_status(folder / kCheckpoints / name)))
        steps.push_back(*step);
    std::sort(steps.begin(), steps.end(), std::greater<>());
    const std::set<std::int64_t> best = best_steps(database_, run_number(id));
    for (std::size_t i = done ? 1 : 2; i < steps.size(); ++i)
      if (!best.contains(steps[i]))
        add(id, folder, std::string(kCheckpoints) + "/" + std::to_string(steps[i]),
            done ? "a run that is done needs its last and its best"
                 : "a run goes on from one of its last two");
  }

  Database& database_;
  const fs::path& workspace_;
  GarbageReport report_;
};

// The run's lock as long as it lives; none where somebody writes.
std::optional<OpenFile> writers_place(const fs::path& folder) {
  OpenFile events(folder / kEventFile, O_RDWR);
  if (!events.is_open() || !lock_for_writing(events.handle())) return std::nullopt;
  return events;
}

// A checkpoint loses its name first, so that nobody finds half of one.
void remove_one(const fs::path& path) {
  if (path.filename().string().starts_with('.')) {
    fs::remove_all(path);
    return;
  }
  const fs::path gone = path.parent_path() / (kGone + path.filename().string());
  fs::rename(path, gone);
  sync_folder(path.parent_path());
  fs::remove_all(gone);
}

}  // namespace

GarbageReport find_garbage(Database& database, const fs::path& workspace) {
  return Finder(database, workspace).find();
}

std::uintmax_t remove_garbage(const fs::path& workspace, const std::vector<Garbage>& garbage) {
  std::uintmax_t bytes = 0;
  for (auto one = garbage.begin(); one != garbage.end();) {
    const fs::path folder = run_folder(workspace, one->run);
    const std::optional<OpenFile> place = writers_place(folder);
    for (const std::string run = one->run; one != garbage.end() && one->run == run; ++one) {
      if (!place || !fs::exists(fs::symlink_status(folder / one->path))) continue;
      remove_one(folder / one->path);
      bytes += one->bytes;
    }
  }
  return bytes;
}

}  // namespace results
