#include "results/store/merge.h"

#include <fcntl.h>
#include <stdio.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <system_error>

#include "lcsm/files/read_file.h"
#include "lcsm/files/whole_file.h"
#include "results/events/evaluations.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "results/events/run_notes.h"
#include "results/files/file_lock.h"
#include "results/store/store.h"

namespace results {
namespace {

namespace fs = std::filesystem;

constexpr const char *kFresh = ".merge-", *kOld = ".old";

// Decides between two folders of one run. A total order, so that the greatest of several folders
// does not depend on the order of merging.
struct History {
  bool done = false;
  std::int64_t lines = 0;
  std::string text;  // the complete lines
  auto operator<=>(const History&) const = default;
};

// nullopt without an event file. Throws EventError for a bad one.
std::optional<History> history_of(const fs::path& folder, const std::string& id) {
  const fs::path file = event_file(folder);
  if (!fs::exists(file)) return std::nullopt;
  History history;
  EventReader reader(file);
  while (const auto event = reader.next()) {
    if (const auto* run = std::get_if<RunLine>(&event->line); run != nullptr && run->run != id)
      throw EventError(file, 1, "expected run " + id + ", got " + run->run);
    if (const auto* end = std::get_if<EndLine>(&event->line))
      history.done = history.done || end->state == RunState::kDone;
  }
  history.lines = reader.position().lines;
  history.text = reader.text_up_to_position();
  return history;
}

bool one_continues_the_other(const History& a, const History& b) {
  return a.text.starts_with(b.text) || b.text.starts_with(a.text);
}

std::int64_t first_different_line(const History& a, const History& b) {
  const auto at = std::mismatch(a.text.begin(), a.text.end(), b.text.begin(), b.text.end()).first;
  return 1 + std::count(a.text.begin(), at, '\n');
}

// Copies files and folders only: a symbolic link could lead out of the workspace. Events are
// written separately; claims belong to the other workspace's processes. durable: the copy survives
// a power failure.
void copy_tree(const fs::path& from, const fs::path& to, bool durable) {
  fs::create_directories(to);
  for (const fs::directory_entry& entry : fs::directory_iterator(from)) {
    const fs::path target = to / entry.path().filename();
    const std::string name = entry.path().filename();
    if (entry.is_symlink() || name == kSegmentsFolder || name == kClaimsFolder) continue;
    if (lcsm::is_leftover(entry.path())) continue;
    if (entry.is_directory()) {
      copy_tree(entry.path(), target, durable);
    } else if (entry.is_regular_file() && name != kEventFile) {
      fs::copy_file(entry.path(), target, fs::copy_options::overwrite_existing);
      if (durable) lcsm::sync_file(target);
    }
  }
  if (durable) lcsm::sync_folder(to);
}

// Unites the marks of both; if two differ, the greater is kept.
void unite_marks(const fs::path& from, const fs::path& to) {
  const std::vector<SweepMark> known = read_marks(to);
  for (const SweepMark& mark : read_marks(from)) {
    const auto same = [&](const SweepMark& other) { return other.sweep == mark.sweep; };
    const auto found = std::find_if(known.begin(), known.end(), same);
    if (found == known.end() || *found < mark) write_mark(to, mark);
  }
}

// The place of a run's folder while it is written or, with kOld, while it is replaced.
fs::path beside(const fs::path& place, const char* end = "") {
  return place.parent_path() / (kFresh + place.filename().string() + end);
}

// Replaces `place` by the finished folder `fresh`, atomically where the file system can.
void put_in_place(const fs::path& fresh, const fs::path& place) {
  if (!fs::exists(place)) {
    fs::rename(fresh, place);
  } else if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(fresh);
  } else {
    const fs::path old = beside(place, kOld);
    fs::rename(place, old);
    fs::rename(fresh, place);
    fs::remove_all(old);
  }
  lcsm::sync_folder(place.parent_path());
}

void replace(const fs::path& source, const History& history, const fs::path& place) {
  const fs::path fresh = beside(place);
  lcsm::refuse_links(place);
  fs::remove_all(fresh);
  copy_tree(source, fresh, fs::exists(place));  // the older copy is removed next
  if (fs::exists(place)) {
    unite_marks(place, fresh);
    unite_notes(place, fresh);
    unite_evaluations(place, fresh);
  }
  const std::int64_t segment = newest_segment(source);
  if (segment > 0) fs::create_directory(fresh / kSegmentsFolder);
  lcsm::write_whole(fresh / segment_name(segment), history.text);
  put_in_place(fresh, place);
}

// Undoes a merge that was killed between its two renames.
void restore(const fs::path& place) {
  if (const fs::path old = beside(place, kOld); !fs::exists(place) && fs::exists(old))
    fs::rename(old, place);
}

// Left by a killed merge.
void remove_leftovers(const fs::path& runs) {
  std::vector<std::string> left;
  lcsm::refuse_links(runs);
  for (const fs::directory_entry& entry : fs::directory_iterator(runs))
    if (std::string name = entry.path().filename(); name.starts_with(kFresh))
      left.push_back(std::move(name));
  for (const std::string& name : left) {
    if (name.ends_with(kOld)) restore(runs / fs::path(name.substr(std::strlen(kFresh))).stem());
    fs::remove_all(runs / name);
  }
}

class Merger {
 public:
  Merger(const fs::path& workspace, MergeReport& report, const InTheWay& in_the_way = {})
      : workspace_(workspace), report_(report), in_the_way_(in_the_way) {}

  void take(const fs::path& other, const std::string& id) {
    const fs::path source = run_folder(other, id), place = run_folder(workspace_, id);
    try {
      restore(place);
      const std::optional<History> theirs = history_of(source, id);
      if (!theirs) return;
      const std::optional<History> ours = good_history(place, id);
      if (!ours) refuse_less(event_file(place), *theirs);
      const bool keeps = ours && *ours >= *theirs;
      if (!keeps) refuse_in_training(place, ours && ours->done);
      if (ours && !one_continues_the_other(*ours, *theirs))
        tell_parting(id, *ours, *theirs, keeps ? place : source);
      if (keeps) {
        unite_marks(source, place);
        unite_notes(source, place);
        unite_evaluations(source, place);
        ++report_.kept;
        return;
      }
      replace(source, *theirs, place);
      ++report_.taken;
    } catch (const std::exception& error) {
      std::error_code left;
      fs::remove_all(beside(place), left);
      const auto* failed = dynamic_cast<const std::system_error*>(&error);
      if (failed != nullptr && lcsm::is_full(failed->code())) throw;
      report_.refused.push_back(error.what());
    }
  }

 private:
  // A damaged folder is replaced by a good one.
  static std::optional<History> good_history(const fs::path& folder, const std::string& id) {
    try {
      return history_of(folder, id);
    } catch (const EventError&) {
      return std::nullopt;
    }
  }

  // A damaged file may be repaired.
  static void refuse_less(const fs::path& damaged, const History& theirs) {
    if (theirs.done || !fs::exists(damaged)) return;
    const std::string text = lcsm::read_file(damaged);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    if (theirs.lines < lines)
      throw std::runtime_error(
          damaged.string() + ": expected a run that is done or has " + std::to_string(lines) +
          " lines to replace this damaged file, got one of " + std::to_string(theirs.lines) +
          ": repair the file or move its folder away, then merge again");
  }

  void refuse_in_training(const fs::path& folder, bool done) const {
    if (events_are_being_written(folder))
      throw std::runtime_error(folder.string() +
                               ": expected no writer, but another process is training the run");
    if (const std::string who = in_the_way_ && !done ? in_the_way_(folder) : ""; !who.empty())
      throw std::runtime_error(folder.string() + " is " + who);
  }

  void tell_parting(const std::string& id, const History& ours, const History& theirs,
                    const fs::path& kept) {
    const History& winner = std::max(ours, theirs);
    const bool twice = ours.done && theirs.done;
    (twice ? report_.twice : report_.parted)
        .push_back("run " + id + " has two histories that differ from line " +
                   std::to_string(first_different_line(ours, theirs)) + " on: kept " +
                   kept.string() + ", which has " + std::to_string(winner.lines) + " lines" +
                   (winner.done ? " and is done" : ""));
  }

  fs::path workspace_;
  MergeReport& report_;
  InTheWay in_the_way_;
};

}  // namespace

void take_run(const fs::path& workspace, const fs::path& other, const std::string& id) {
  MergeReport report;
  fs::create_directories(workspace / kRunsFolder);
  const StoreLock lock(workspace);
  Merger(workspace, report).take(other, id);
  for (const auto* trouble : {&report.refused, &report.parted, &report.twice})
    if (!trouble->empty()) throw std::runtime_error(trouble->front());
  if (report.taken + report.kept == 0)
    throw std::runtime_error(run_folder(other, id).string() + ": expected an event file, got none");
}

MergeReport merge(const fs::path& workspace, const std::vector<fs::path>& others,
                  const FoldOptions& options, const InTheWay& in_the_way) {
  MergeReport report;
  {
    const StoreLock lock(workspace);
    fs::create_directories(workspace / kRunsFolder);
    remove_leftovers(workspace / kRunsFolder);
    Merger merger(workspace, report, in_the_way);
    for (const fs::path& other : others)
      for (const std::string& id : run_ids(other)) merger.take(other, id);
  }
  report.fold = fold(workspace, options);
  return report;
}

}  // namespace results
