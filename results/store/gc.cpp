#include "results/store/gc.h"

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/events/checkpoints.h"
#include "results/events/evaluations.h"
#include "results/events/event_file.h"
#include "results/events/metric.h"
#include "results/events/run_folder.h"
#include "results/events/run_notes.h"
#include "results/files/file_lock.h"
#include "results/files/size_on_disk.h"
#include "results/store/run_rows.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGone = ".gone-";

// The sorted names in a folder; none for a symbolic link.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  const fs::path itself = folder.has_filename() ? folder : folder.parent_path();  // "x/" is no link
  if (!fs::is_directory(fs::symlink_status(itself))) return names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The steps at which a validation metric is best, and the steps of artefacts of kind `best`.
std::set<std::int64_t> best_steps(Database& database, std::int64_t run) {
  std::set<std::int64_t> steps;
  Statement select(database,
                   "SELECT metric, lowest_step, highest_step FROM summaries WHERE run = ?1 AND "
                   "metric LIKE 'valid.%'",
                   run);
  while (select.step()) {
    const int column = lower_is_better(select.text(0)) ? 1 : 2;
    if (!select.is_null(column)) steps.insert(select.integer(column));
  }
  Statement named(database, "SELECT step FROM artefacts WHERE run = ?1 AND kind = 'best'", run);
  while (named.step()) steps.insert(named.integer(0));
  return steps;
}

class Finder {
 public:
  Finder(Database& database, const fs::path& workspace)
      : database_(database), workspace_(workspace) {}

  GarbageReport find() {
    for (const std::string& id : run_ids(workspace_)) look_into(id);
    add_old_leftovers("", workspace_, "");
    for (const std::string& name : names_in(workspace_ / kRunsFolder))
      if (name.starts_with(kGone))
        add("", workspace_, std::string(kRunsFolder) + "/" + name, "left by a killed process");
    for (const std::string& name : names_in(workspace_))
      if (name != kRunsFolder) {
        add_old_leftovers("", workspace_, name + "/");
        for (const std::string& below : names_in(workspace_ / name))
          add_old_leftovers("", workspace_, name + "/" + below + "/");
      }
    return std::move(report_);
  }

 private:
  void look_into(const std::string& id) {
    const fs::path folder = run_folder(workspace_, id);
    Statement select(database_, "SELECT status FROM runs WHERE id = ?1", id);
    const auto pass_over = [&](const char* why) {
      report_.passed_over.push_back(std::string(kRunsFolder) + "/" + id + " " + why);
    };
    if (fs::is_symlink(folder)) return pass_over("is a link");
    if (events_are_being_written(folder)) return pass_over("is being written");
    if (!fs::exists(event_file(folder))) return pass_over("never began: it has no event file");
    if (!select.step()) return pass_over("has no valid event file");
    find_leftovers(id, folder);
    find_segments(id, folder);
    find_checkpoints(id, folder, stored_state(select.text(0)) == RunState::kDone);
  }

  void add(const std::string& id, const fs::path& folder, const std::string& path,
           const std::string& why) {
    report_.found.push_back({id, path, why, size_on_disk(folder / path)});
  }

  // The run has no writer, so nothing unfinished is still in use.
  void find_leftovers(const std::string& id, const fs::path& folder) {
    for (const std::string& below : {std::string(), std::string(kCheckpointsFolder) + "/"})
      for (const std::string& name : names_in(folder / below))
        if (lcsm::is_leftover(name)) add(id, folder, below + name, "left by a killed process");
    for (const std::string_view below :
         {kMarksFolder, kNotesFolder, kEvaluationsFolder, kClaimsFolder})
      add_old_leftovers(id, folder, std::string(below) + "/");
  }

  void find_segments(const std::string& id, const fs::path& folder) {
    const std::string newest = segment_name(newest_segment(folder));
    std::vector<std::string> names = {std::string(kEventFile)};
    for (const std::string& name : names_in(folder / kSegmentsFolder))
      names.push_back(std::string(kSegmentsFolder) + "/" + name);
    for (const std::string& name : names)
      if (name != newest && fs::is_regular_file(fs::symlink_status(folder / name)))
        add(id, folder, name, "continued in " + newest);
  }

  // Looks in folders whose files are written without the run's lock, each in much less than an
  // hour. `below`: "" or "NAME/".
  void add_old_leftovers(const std::string& id, const fs::path& folder, const std::string& below) {
    for (const std::string& name : names_in(folder / below)) {
      const fs::path file = folder / below / name;
      std::error_code gone;
      const auto written = fs::last_write_time(file, gone);
      const bool old = !gone && fs::file_time_type::clock::now() - written > std::chrono::hours(1);
      if (old && lcsm::is_leftover(name) && fs::is_regular_file(fs::symlink_status(file)))
        add(id, folder, below + name, "left by a killed process");
    }
  }

  void find_checkpoints(const std::string& id, const fs::path& folder, bool done) {
    std::set<CheckpointPlace> places;
    std::set<std::int64_t> steps;
    for (const std::string& name : names_in(folder / kCheckpointsFolder)) {
      const auto place = checkpoint_place(name);
      if (!place || !fs::is_directory(fs::symlink_status(folder / kCheckpointsFolder / name)))
        continue;
      places.insert(*place);
      steps.insert(place->step);
    }
    const std::set<std::int64_t> kept =
        kept_checkpoints(steps, best_steps(database_, run_number(id)), done);
    for (auto place = places.rbegin(); place != places.rend(); ++place)
      if (!kept.contains(place->step))
        add(id, folder, checkpoint_name(*place),
            done ? "a finished run needs only its last and its best"
                 : "a run resumes from one of its last two");
  }

  Database& database_;
  const fs::path& workspace_;
  GarbageReport report_;
};

// The run's lock; nothing if another process is writing the run.
std::optional<lcsm::OpenFile> writers_place(const fs::path& folder) {
  lcsm::OpenFile events(event_file(folder), O_RDWR);
  if (!events.is_open() || !lock_for_writing(events.handle())) return std::nullopt;
  return events;
}

// Renames a checkpoint before removing it, so that no process finds half of one.
void remove_one(const fs::path& path) {
  lcsm::refuse_links(path.parent_path());
  if (lcsm::is_leftover(path)) {
    fs::remove_all(path);
    return;
  }
  const fs::path gone = path.parent_path() / (kGone + path.filename().string());
  fs::rename(path, gone);
  lcsm::sync_folder(path.parent_path());
  fs::remove_all(gone);
}

}  // namespace

GarbageReport find_garbage(Database& database, const fs::path& workspace) {
  return Finder(database, workspace).find();
}

std::uintmax_t remove_garbage(const fs::path& workspace, const std::vector<Garbage>& garbage) {
  std::uintmax_t bytes = 0;
  for (auto one = garbage.begin(); one != garbage.end();) {
    const bool of_run = !one->run.empty();
    const fs::path folder = of_run ? run_folder(workspace, one->run) : workspace;
    const std::optional<lcsm::OpenFile> place =
        of_run ? writers_place(folder) : std::optional(lcsm::OpenFile());
    for (const std::string run = one->run; one != garbage.end() && one->run == run; ++one) {
      if (!place || !fs::exists(fs::symlink_status(folder / one->path))) continue;
      remove_one(folder / one->path);
      bytes += one->bytes;
    }
  }
  return bytes;
}

}  // namespace results
