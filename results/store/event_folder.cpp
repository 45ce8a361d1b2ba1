#include "results/store/event_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <thread>

#include "lcsm/files/open_file.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/files/checksum.h"
#include "results/files/file_lock.h"
#include "results/store/published_rows.h"
#include "results/store/schema.h"

namespace results {

namespace fs = std::filesystem;

struct EventFolder::FileState {
  Position position;
  std::int64_t size = 0;
  std::int64_t changed = 0;  // ctime: shows copies and repairs even if a tool restores mtime
  std::int64_t marks = 0;
  std::string trouble = {};  // why the file cannot be read
};

namespace {

// A change time that no file has, so that the file is read again next time.
constexpr std::int64_t kUnsettled = -1;

constexpr std::int64_t kRowsPerCommit = 500'000;
constexpr std::size_t kLookers = 4, kManyRuns = 1000;

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// A folder that has just changed may change again within the same tick of the file system's clock.
// Returns kUnsettled for such a folder, so that it is read again.
std::int64_t settled(const timespec& changed) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t age = nanoseconds(now) - nanoseconds(changed);
  return age > 1'000'000'000 ? nanoseconds(changed) : kUnsettled;
}

// The sum of both times changes if one does. Three times the nanoseconds since 1970 fit into 63
// bits.
std::int64_t both_settled(std::int64_t a, std::int64_t b) {
  return a == kUnsettled || b == kUnsettled ? kUnsettled : a + b;
}

// The host lacks a resource; the file may be fine.
bool is_of_host(const std::error_code& error) {
  return error == std::errc::too_many_files_open ||
         error == std::errc::too_many_files_open_in_system || error == std::errc::not_enough_memory;
}

std::string newest_name(const fs::path& workspace, const std::string& id) {
  return segment_name(newest_segment(run_folder(workspace, id)));
}

std::string place_of(const fs::path& workspace, const std::string& id) {
  return std::string(kRunsFolder) + "/" + id + "/" + newest_name(workspace, id);
}

// The reason why a run line does not belong to run `id`; "" if it does.
std::string forgery(const std::string& id, const RunLine& line, const FoldOptions& options) {
  if (line.run != id) return "expected run " + id + ", the folder's name, got " + line.run;
  if (!options.id_of || line.identity.empty()) return "";
  const std::string wanted = options.id_of(line.identity);
  return wanted == id ? "" : "expected run " + wanted + ", the hash of its identity, got " + id;
}

}  // namespace

EventFolder::EventFolder(const fs::path& workspace, Database& database, const FoldOptions& options)
    : workspace_(workspace),
      database_(database),
      options_(options),
      rows_(database),
      insert_file_(database, "REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

EventFolder::FileState EventFolder::unreadable(const std::string& why) {
  return {{}, 0, kUnsettled, kUnsettled, why};
}

std::map<std::string, EventFolder::FileState> EventFolder::known_files() {
  std::map<std::string, FileState> known;
  Statement select(database_, "SELECT * FROM files");
  while (select.step()) {
    const Position position{select.integer(1), select.integer(2), select.integer(3),
                            select.integer(4) != 0, static_cast<std::uint32_t>(select.integer(5))};
    known[select.text(0)] = {position, select.integer(6), select.integer(7), select.integer(8)};
  }
  return known;
}

// Uses several threads: when most runs are already folded this takes most of the time, and network
// file systems answer each call slowly.
std::vector<std::optional<EventFolder::FileState>> EventFolder::look_at(
    const std::vector<std::string>& ids) const {
  std::vector<std::optional<FileState>> found(ids.size());
  const lcsm::OpenFile runs(workspace_ / kRunsFolder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!runs.is_open() && !ids.empty())
    throw std::system_error(errno, std::generic_category(), (workspace_ / kRunsFolder).string());
  const auto look = [&](std::size_t first) {
    for (std::size_t i = first; i < ids.size(); i += kLookers) {
      struct stat events {
      }, other{};
      const std::string folder = ids[i] + "/";
      const auto stat_of = [&](std::string_view name, struct stat* facts) {
        return fstatat(runs.handle(), (folder + std::string(name)).c_str(), facts, 0) == 0;
      };
      const bool more = stat_of(kSegmentsFolder, &other);
      if (!stat_of(more ? newest_name(workspace_, ids[i]) : std::string(kEventFile), &events)) {
        if (errno != ENOENT && errno != ENOTDIR)
          found[i] = unreadable(std::generic_category().message(errno));
        continue;
      }
      found[i] = FileState{{}, events.st_size, nanoseconds(events.st_ctim), 0};
      if (!S_ISREG(events.st_mode)) found[i] = unreadable("not a regular file");
      for (const std::string_view below : {kMarksFolder, kNotesFolder, kEvaluationsFolder})
        if (stat_of(below, &other))
          found[i]->marks = both_settled(found[i]->marks, settled(other.st_ctim));
    }
  };
  std::vector<std::jthread> others;
  if (ids.size() >= kManyRuns)
    for (std::size_t n = 1; n < kLookers; ++n) others.emplace_back(look, n);
  for (std::size_t n = 0; n < (others.empty() ? kLookers : 1); ++n) look(n);
  others.clear();  // waits for them
  return found;
}

FoldReport EventFolder::fold_all() {
  const std::vector<std::string> ids = run_ids(workspace_);
  std::optional<Transaction> transaction(database_);
  const auto known = known_files();
  drop_missing(known, ids);
  std::int64_t committed = 0;
  const auto found = look_at(ids);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto before = known.find(ids[i]);
    if (!found[i]) {
      if (before != known.end()) drop(ids[i]);
      continue;
    }
    fold_run(ids[i], before == known.end() ? nullptr : &before->second, *found[i]);
    if (report_.metric_rows - committed < kRowsPerCommit) continue;
    transaction->commit();
    transaction.emplace(database_);
    committed = report_.metric_rows;
  }
  if (marks_changed_)
    database_.run(
        "DELETE FROM sweeps; INSERT INTO sweeps "
        "SELECT sweep, max(title), max(paper) FROM points GROUP BY sweep");
  look_for_writers();
  report_.refused = Statement(database_, "SELECT reason FROM refused ORDER BY id").texts();
  transaction->commit();
  return std::move(report_);
}

void EventFolder::drop_missing(const std::map<std::string, FileState>& known,
                               const std::vector<std::string>& ids) {
  for (const auto& [id, state] : known)
    if (!std::binary_search(ids.begin(), ids.end(), id)) drop(id);
}

void EventFolder::drop(const std::string& id) {
  rows_.remove(id);
  ++report_.removed;
  marks_changed_ = true;
}

void EventFolder::fold_run(const std::string& id, const FileState* before, FileState now) {
  ++report_.runs;
  const bool same_file =
      before != nullptr && before->size == now.size && before->changed == now.changed;
  const bool same_marks = before != nullptr && before->marks == now.marks && now.marks >= 0;
  if (same_file && same_marks) return;
  if (same_file) {
    now.position = before->position;
  } else {
    ++report_.changed;
    const bool grown = before != nullptr && before->size < now.size && before->position.lines > 0 &&
                       same_up_to(event_file(run_folder(workspace_, id)), before->position);
    if (grown) now.position = before->position;
    take_events(id, !grown, now);
  }
  if (now.position.lines > 0 && !take_marks(id)) now.marks = kUnsettled;
  remember(id, now);
}

void EventFolder::take_events(const std::string& id, bool from_start, FileState& now) {
  const std::string place = place_of(workspace_, id);
  if (from_start) rows_.remove(id);
  const auto refuse = [&](const std::string& what) {
    rows_.remove(id);
    rows_.refuse(id, place + ":" + what);
    now.position = {};
  };
  if (!now.trouble.empty()) return refuse(" cannot be read: " + now.trouble);
  try {
    if (const std::string other = rows_.other_of(id); !other.empty())
      throw EventError(place, 1,
                       "expected an id that differs from " + other + " in its first 15 digits");
    EventReader reader(workspace_ / place, now.position);
    std::vector<Event> events;
    while (auto event = reader.next()) {
      if (const auto* run = std::get_if<RunLine>(&event->line))
        if (const std::string what = forgery(id, *run, options_); !what.empty())
          throw EventError(place, 1, what);
      events.push_back(std::move(*event));
    }
    if (reader.torn() > 0 && !is_being_written(workspace_ / place))
      report_.warnings.push_back(place + ":" + std::to_string(reader.position().lines + 1) +
                                 ": a torn last line of " + std::to_string(reader.torn()) +
                                 " bytes was left out");
    if (!events.empty()) report_.metric_rows += rows_.add(id, events);
    now.position = reader.position();
  } catch (const EventError& error) {
    refuse(error.place());
  } catch (const std::system_error& error) {
    if (is_of_host(error.code())) throw;
    refuse(" cannot be read: " + error.code().message());
    now.changed = kUnsettled;
  }
}

// Returns false if they must be read again next time. An error in one kind leaves the others.
bool EventFolder::take_marks(const std::string& id) {
  marks_changed_ = true;
  bool settled = true;
  const auto take = [&](const auto& read, const auto& set) {
    try {
      set(read(run_folder(workspace_, id)));
      return;
    } catch (const std::invalid_argument& error) {
      report_.warnings.push_back(error.what());
    } catch (const std::system_error& error) {
      if (is_of_host(error.code())) throw;
      report_.warnings.push_back(error.what());
      settled = false;
    }
    set({});
  };
  take(read_marks, [&](const std::vector<SweepMark>& marks) { rows_.set_marks(id, marks); });
  take(read_notes, [&](const RunNotes& notes) { rows_.set_notes(id, notes); });
  take(read_evaluations,
       [&](const std::vector<Evaluation>& all) { rows_.set_evaluations(id, all); });
  return settled;
}

// A run that has no end and no writer was interrupted.
void EventFolder::look_for_writers() {
  std::vector<std::string> changed;
  Statement select(database_,
                   "SELECT id, writing, status = 'running' FROM runs "
                   "WHERE writing OR status = 'running'");
  while (select.step()) {
    const bool writing =
        select.integer(2) != 0 && events_are_being_written(run_folder(workspace_, select.text(0)));
    if (writing != (select.integer(1) != 0)) changed.push_back(select.text(0));
  }
  for (const std::string& id : changed) {
    Statement update(database_, "UPDATE runs SET writing = NOT writing WHERE id = ?");
    update.once(id);
  }
}

void EventFolder::remember(const std::string& id, const FileState& state) {
  const Position& at = state.position;
  insert_file_.once(id, at.offset, at.lines, at.attempt, at.ended, std::int64_t{at.crc}, state.size,
                    state.changed, state.marks);
}

FoldReport fold_into(Database& database, const fs::path& workspace, const FoldOptions& options) {
  migrate(database);
  store_published(database);
  return EventFolder(workspace, database, options).fold_all();
}

}  // namespace results
