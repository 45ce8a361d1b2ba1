#include "runner/plan/run_states.h"

#include "results/events/run_folder.h"
#include "results/files/file_lock.h"
#include "runner/workspace/control.h"

namespace runner {

RunStates run_states(results::Database& database, const std::filesystem::path& workspace) {
  RunStates states;
  results::Statement rows(database, "SELECT id, status, steps, message FROM runs");
  while (rows.step()) {
    RunState state{rows.text(1), rows.integer(2), rows.text(3)};
    const auto events = results::run_folder(workspace, rows.text(0)) / results::kEventFile;
    if (state.status == "running" && !results::is_being_written(events)) state.status = "lost";
    states.emplace(rows.text(0), std::move(state));
  }
  for (const std::string& id : read_control(workspace).cancelled) {
    RunState& state = states[id];
    if (state.status != "done" && state.status != "running") state.status = "cancelled";
  }
  results::Statement refused(database, "SELECT id, reason FROM refused");
  while (refused.step()) states[refused.text(0)] = {"refused", 0, refused.text(1)};
  return states;
}

std::string_view kind_of(const RunStates& states, const std::string& id) {
  const auto found = states.find(id);
  if (found == states.end()) return "new";
  const std::string& status = found->second.status;
  if (status == "done" || status == "running") return status == "done" ? "done" : "running";
  if (status == "cancelled") return "cancelled";
  return status == "interrupted" || status == "lost" ? "interrupted" : "failed";
}

}  // namespace runner
