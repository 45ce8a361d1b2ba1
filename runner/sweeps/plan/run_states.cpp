#include "runner/sweeps/plan/run_states.h"

#include <stdexcept>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/sweeps/plan/run_evidence.h"
#include "runner/workspace/claim_watch.h"
#include "runner/workspace/end_note.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

// The state of each run in the database, which knows its events.
RunStates ended_runs(results::Database& database) {
  RunStates runs;
  results::Statement rows(database, "SELECT id, status, attempts, steps, message FROM runs");
  while (rows.step()) {
    const auto state = results::stored_state(rows.text(1));
    if (!state) throw std::runtime_error("expected the status of a run, got " + rows.text(1));
    const RunState last = rows.integer(2) == 0 ? RunState::kNew : *state;
    runs[rows.text(0)] = {last, last, rows.integer(3), rows.text(4)};
  }
  return runs;
}

}  // namespace

RunStates run_states(results::Database& database, const fs::path& workspace) {
  RunStates states = ended_runs(database);
  // A run that failed before its first event, or was cancelled before, has no row.
  for (const std::string& id : results::run_ids(workspace)) states.try_emplace(id);
  const Control control = read_control(workspace);
  for (const std::string& id : control.cancelled) states.try_emplace(id);
  for (auto& [id, status] : states) status = status_in(workspace, id, status, control);
  results::Statement refused(database, "SELECT id, reason FROM refused");
  while (refused.step())
    states[refused.text(0)] = {RunState::kRefused, RunState::kRefused, 0, refused.text(1)};
  return states;
}

RunState state_of(const RunStates& states, const std::string& id) {
  const auto found = states.find(id);
  return found == states.end() ? RunState::kNew : found->second.state;
}

RunStatus status_in(const fs::path& workspace, const std::string& id, const RunStatus& ended,
                    const Control& control) {
  RunStatus status = ended;
  if (ended.last == RunState::kDone) return status;
  const fs::path folder = results::run_folder(workspace, id);
  RunEvidence known{.last = ended.last};
  known.running =
      results::events_are_being_written(folder) || !who_trains_elsewhere(folder).empty();
  if (known.last == RunState::kRunning) known.last = RunState::kLost;
  const auto note = known.running ? std::nullopt : read_end_note(folder);
  if (note) {
    if (note->state != known.last || status.message.empty()) status.message = note->why;
    const bool began = known.last != RunState::kNew;
    known.last = note->state == RunState::kInternal && !began ? RunState::kNotStarted : note->state;
    known.again = note->starts_again >= 0;
  }
  known.cancelled = control.cancelled.contains(id);
  known.again = known.again || wants_retry(control, workspace, id);
  status.last = known.running ? RunState::kRunning : known.last;
  status.state = state_of(known);
  return status;
}

}  // namespace runner
