#include "runner/front/curves/stored_sweep.h"

#include <algorithm>
#include <tuple>

#include "results/store/run_facts.h"
#include "results/tables/table_runs.h"
#include "runner/config/keys/roles.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/workspace/run_lock.h"

namespace runner {
namespace {

// The parameters that name the rows of the sweep's table, then the tuned and averaged ones.
std::vector<std::string> axes_of(const results::TableRuns& runs, const results::TableSpec& spec) {
  std::vector<std::string> axes;
  const auto add = [&](const std::string& key) {
    if (runs.varying.contains(key)) axes.push_back(key);
  };
  for (const std::string& key : spec.rows) add(key);
  for (const std::string& key : spec.tuned) add(key);
  add(std::string(kRoles.seed));
  return axes;
}

}  // namespace

PanelModel stored_sweep(results::Database& database, const std::filesystem::path& workspace,
                        const std::string& sweep, const std::set<std::string>& only) {
  PanelModel model;
  model.sweep = sweep;
  if (results::existing_runs(database, sweep, only).empty()) return model;
  results::TableSpec spec{.sweep = sweep, .scope = {.only = only}};
  const results::TableRuns runs = results::load_runs(database, kRoles, &spec);
  model.title = runs.title;
  model.axes = axes_of(runs, spec);
  for (const std::string& value : spec.values)
    if (model.metric.empty() && value.starts_with("valid.")) model.metric = value;
  const auto runner = who_runs(workspace);
  model.runner = runner ? runner->name() : "";
  RunStates states = run_states(database, workspace);
  for (const results::TableRun& run : runs.runs) {
    const RunStatus& status = states[run.id];
    PanelRun& one =
        model.runs.emplace_back(PanelRun{.id = run.id, .at = {}, .state = status.state});
    one.why = why_text(status.state, status.message);
    one.progress.step = run.steps;
    for (const std::string& key : model.axes) one.at.push_back(results::parameter(run, key));
  }
  std::sort(model.runs.begin(), model.runs.end(), [](const PanelRun& a, const PanelRun& b) {
    return std::tie(a.at, a.id) < std::tie(b.at, b.id);
  });
  return model;
}

}  // namespace runner
