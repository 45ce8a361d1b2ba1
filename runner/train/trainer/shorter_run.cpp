#include "runner/train/trainer/shorter_run.h"

#include <fcntl.h>

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "lcsm/files/open_file.h"
#include "results/events/event_file.h"
#include "results/events/event_reader.h"
#include "results/events/run_folder.h"
#include "runner/config/keys/run_keys.h"
#include "runner/config/run/course.h"
#include "runner/config/run/run_id.h"
#include "runner/train/trainer/stored_config.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::Event;

fs::path shelf(const fs::path& workspace, const RunConfig& config) {
  return workspace / "starts" / id_of_identity(canonical_json_of_any_budget(config));
}

struct ShorterRun {
  std::string id;
  Checkpoint last;                 // the steps to copy end here
  std::optional<Checkpoint> best;  // set if its best step is an earlier one
  std::vector<Event> events;       // events that count and precede `last`
};

bool same_steps(const Course& a, const Course& b, std::int64_t steps) {
  for (std::int64_t n = 1; n <= steps; ++n)
    if (a.rate(n) != b.rate(n) || a.evaluates_after(n) != b.evaluates_after(n)) return false;
  return steps <= b.steps();
}

// The events of a run that is done; otherwise none.
std::vector<Event> events_of(const fs::path& folder, results::KeptLines* kept) {
  results::EventReader reader(results::event_file(folder));
  std::vector<Event> events;
  while (auto event = reader.next()) {
    kept->note(event->line, event->sequence);
    events.push_back(std::move(*event));
  }
  const auto* end = events.empty() ? nullptr : std::get_if<results::EndLine>(&events.back().line);
  if (end == nullptr || end->state != results::RunState::kDone) events.clear();
  return events;
}

// The newest checkpoint up to which both runs take equal steps.
std::optional<Checkpoint> common_checkpoint(const Checkpoints& checkpoints, const Course& shorter,
                                            const Course& longer) {
  const std::set<std::int64_t> steps = checkpoints.steps();
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (same_steps(shorter, longer, *step))
      if (Checkpoint found = checkpoints.read(*step); found.state.stopped.empty()) return found;
  return std::nullopt;
}

std::optional<ShorterRun> read(const fs::path& workspace, const std::string& id,
                               const RunConfig& config, std::int64_t examples) {
  const fs::path folder = results::run_folder(workspace, id);
  if (!fs::exists(results::event_file(folder))) return std::nullopt;
  const RunConfig theirs = stored_config(folder, [](const std::string&) {});
  if (theirs.integer("run.log_steps"_key) != config.integer("run.log_steps"_key))
    return std::nullopt;
  results::KeptLines kept;
  std::vector<Event> events = events_of(folder, &kept);
  if (events.empty()) return std::nullopt;
  const Checkpoints checkpoints(folder, results::newest_segment(folder));
  auto last = common_checkpoint(checkpoints, Course(theirs, examples), Course(config, examples));
  if (!last || !kept.counts(last->lines) || kept.segment_of(last->lines) != last->segment)
    return std::nullopt;
  std::erase_if(events, [&](const Event& event) {
    return event.sequence > last->lines || !kept.counts(event.sequence);
  });
  std::optional<Checkpoint> best;
  if (last->state.best && last->state.best->step != last->state.step)
    best = checkpoints.read(last->state.best->step);
  return ShorterRun{id, std::move(*last), std::move(best), std::move(events)};
}

// Copies the lines about results and environments, as interrupted attempts of this run.
void copy(const ShorterRun& run, RunRecord* record, Checkpoints* checkpoints) {
  Checkpoint last = run.last;
  std::optional<Checkpoint> best = run.best;
  const std::string from = "a step of run " + run.id;
  std::int64_t attempts = 0, step = 0;
  for (const Event& event : run.events) {
    if (const auto* attempt = std::get_if<results::AttemptLine>(&event.line)) {
      if (attempts++ > 0)
        record->append(results::EndLine{results::RunState::kInterrupted, step, from});
      const std::int64_t from_line = attempts == 1 ? 0 : record->lines();
      record->append(results::AttemptLine{attempt->from_step, from_line, attempt->environment});
    } else if (const auto* metrics = std::get_if<results::MetricsLine>(&event.line)) {
      record->append(*metrics);
      step = metrics->step;
    }
    if (best && event.sequence <= run.best->lines) best->lines = record->lines();
  }
  record->append(results::EndLine{results::RunState::kInterrupted, last.state.step, from});
  record->sync();
  if (best) checkpoints->write(*best);
  last.lines = record->lines();
  checkpoints->write(last);
}

}  // namespace

void offer_as_start(const fs::path& workspace, const RunConfig& config) {
  std::error_code unwritable;  // then longer runs begin at their first step
  const fs::path folder = shelf(workspace, config);
  fs::create_directories(folder, unwritable);
  const lcsm::OpenFile made(folder / run_id(config), O_WRONLY | O_CREAT);
}

std::optional<Checkpoint> start_of_shorter_run(const RunConfig& config, std::int64_t examples,
                                               const fs::path& workspace, RunRecord* record,
                                               Checkpoints* checkpoints) {
  std::optional<ShorterRun> longest;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(shelf(workspace, config), none)) try {
      const std::string id = entry.path().filename().string();
      if (id == record->id()) continue;
      auto found = read(workspace, id, config, examples);
      if (found && (!longest || found->last.state.step > longest->last.state.step))
        longest = std::move(found);
    } catch (const std::exception& error) {
      record->say("warning", std::string("a shorter run cannot be used: ") + error.what());
    }
  if (!longest) return std::nullopt;
  copy(*longest, record, checkpoints);
  Checkpoint start = std::move(longest->last);
  start.lines = record->lines();
  record->say("info", "steps 1 to " + std::to_string(start.state.step) + " are those of run " +
                          longest->id);
  return start;
}

}  // namespace runner
