// Gathers the data of a panel: the plan once, events of running runs as they are written, and
// occasionally, on another thread, the table and best values from the database.
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "runner/front/panel/database_values.h"
#include "runner/front/panel/model.h"
#include "runner/sweeps/plan/sweep_plan.h"

namespace runner {

class PanelFeed {
 public:
  // Does not read the workspace yet.
  PanelFeed(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
            std::filesystem::path workspace);

  // The caller sets states, jobs and messages.
  PanelModel& model() { return model_; }
  const PanelModel& model() const { return model_; }
  const std::filesystem::path& workspace() const { return workspace_; }

  // Reads due data, rarely enough to cost next to nothing, and the events of the selected run.
  // `now`: seconds of any monotonic clock. Returns false if nothing is new.
  bool refresh(double now, std::optional<std::size_t> looked_at = {});

  // Reads the database, and waits for the result.
  void read_database_now();

 private:
  bool read_events(std::optional<std::size_t> looked_at);
  bool read_run(std::size_t run, RunFeed& feed);
  DatabaseQuery query() const;
  bool read_database(double now);
  void take(const std::optional<DatabaseValues>& values);
  void find_metric();

  std::filesystem::path workspace_;
  results::TableSpec spec_;
  PanelModel model_;
  std::map<std::size_t, RunFeed> feeds_;  // by run
  double start_ = kUnknown, next_events_ = 0, next_eta_ = 0, next_database_ = 0;
  bool stale_ = true;  // events are newer than the database's values
  std::future<std::optional<DatabaseValues>> database_;
};

}  // namespace runner
