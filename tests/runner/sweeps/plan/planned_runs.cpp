#include "tests/runner/sweeps/plan/planned_runs.h"

#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "runner/config/run/run_line.h"

namespace runner {
std::string write_measured(const std::filesystem::path& workspace, const RunConfig& config,
                           const MeasuredRun& run) {
  const std::string id = run_id(config);
  const auto folder = results::run_folder(workspace, id);
  std::filesystem::create_directories(folder);
  double now = 1000;
  results::EventWriter writer(folder, run_line(config), [&now] { return now; });
  writer.append(results::AttemptLine{
      run.from_step, run.from_step > 0 ? writer.position().lines : 0, {{"host", run.host}}});
  now += run.seconds;
  writer.append(results::MetricsLine{run.steps, {{"valid.accuracy", 0.5}}});
  if (!run.status.empty())
    writer.append(results::EndLine{results::stored_state(run.status).value(), run.steps,
                                   "as the test wants it"});
  return id;
}

}  // namespace runner
