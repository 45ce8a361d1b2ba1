#include "runner/panel/feed.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <unordered_map>

#include "results/events/run_folder.h"
#include "results/files/file_lock.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/config/roles.h"
#include "runner/config/run_id.h"
#include "runner/process/steady_time.h"
#include "runner/sweeps/choice.h"

namespace runner {
namespace {

using results::RunState;

constexpr double kEventsEvery = 0.5, kEtaEvery = 1, kDatabaseEvery = 2;
constexpr double kShare = 300;  // the database may take one part in so many of the time

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

double value_of(const results::Summary& summary, const results::Reduction& reduction) {
  if (reduction.how != results::Reduction::How::kBest) return summary.last;
  const auto& extreme =
      results::lower_is_better(reduction.metric) ? summary.lowest : summary.highest;
  return extreme.known ? extreme.value : kUnknown;
}

bool is_validation(const std::string& name) { return name.starts_with("valid."); }

// Whether some run has the metric or parameter by now.
bool is_known(results::Database& database, const std::string& name) {
  results::Statement found(database,
                           "SELECT 1 FROM parameters WHERE key = ?1 UNION ALL "
                           "SELECT 1 FROM summaries WHERE metric = ?1 LIMIT 1");
  found.bind(1, std::string_view(name));
  return found.step();
}

}  // namespace

PanelFeed::PanelFeed(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                     std::filesystem::path workspace)
    : workspace_(std::move(workspace)) {
  if (!sweep.views.tables.empty()) spec_ = sweep.views.tables[0];
  spec_.sweep = sweep.name;
  model_.sweep = sweep.name;
  model_.scale = request.scale;
  model_.called = described(sweep, request);
  model_.command = run_command(sweep, request);
  model_.title = sweep.title;
  model_.jobs = plan.slots;
  model_.eta_seconds = plan.eta_seconds;
  model_.metric = spec_.by;
  for (const Axis& axis : plan.expansion.axes)
    for (const Assignment& each : axis.steps[0])
      model_.axes.emplace_back(kConfigKeys[static_cast<std::size_t>(each.key)].name);
  for (const PlannedRun& planned : plan.runs) {
    spec_.only.insert(planned.point.id);
    PanelRun run{.id = planned.point.id,
                 .at = {},
                 .state = planned.state,
                 .why = why_text(planned.state, planned.message)};
    for (std::size_t axis = 0; axis < plan.expansion.axes.size(); ++axis)
      for (const Assignment& each : plan.expansion.axes[axis].steps[planned.point.steps[axis]])
        run.at.push_back(value_text(*each.value));
    run.steps = planned.steps;
    run.seconds = planned.seconds;
    run.planned_at = run.progress.step = planned.steps_done;
    model_.runs.push_back(std::move(run));
  }
  find_metric();
}

// The sweep's choice; else the first validation metric of its table, or of any run.
void PanelFeed::find_metric() {
  if (!model_.metric.empty()) return;
  std::vector<std::string> names = spec_.values;
  if (model_.table)
    for (const results::TableColumn& column : model_.table->columns) names.push_back(column.value);
  for (const auto& [run, feed] : feeds_)
    for (const auto& [name, summary] : feed.progress().metrics) names.push_back(name);
  const auto found = std::find_if(names.begin(), names.end(), is_validation);
  if (found != names.end()) model_.metric = *found;
}

bool PanelFeed::refresh(double now, std::optional<std::size_t> looked_at) {
  if (std::isnan(start_)) start_ = now;
  model_.seconds = now - start_;
  bool news = false;
  if (now >= next_events_) {
    news = read_events(looked_at);
    stale_ = stale_ || news;
    next_events_ = now + kEventsEvery;
  }
  if (now >= next_eta_) {
    model_.eta_seconds = eta_of(model_);
    next_eta_ = now + kEtaEvery;
    news = true;
  }
  if (stale_ && now >= next_database_) {
    const double before = steady_seconds();
    read_database();
    next_database_ = now + std::max(kDatabaseEvery, kShare * (steady_seconds() - before));
    news = true;
  }
  return news;
}

// Running runs, and once more those that have just ended.
bool PanelFeed::read_events(std::optional<std::size_t> looked_at) {
  bool news = false;
  for (std::size_t i = 0; i < model_.runs.size(); ++i) {
    const bool looked = model_.runs[i].state == RunState::kRunning || looked_at == i;
    if (looked) feeds_.try_emplace(i, results::run_folder(workspace_, model_.runs[i].id));
  }
  for (auto feed = feeds_.begin(); feed != feeds_.end();) {
    news = read_run(feed->first, feed->second) || news;
    const bool over = model_.runs[feed->first].state != RunState::kRunning;
    feed = over && looked_at != feed->first ? feeds_.erase(feed) : std::next(feed);
  }
  return news;
}

bool PanelFeed::read_run(std::size_t index, RunFeed& feed) {
  PanelRun& run = model_.runs[index];
  const bool news = feed.refresh();
  if (news) {
    run.progress = feed.progress();
    if (!feed.trouble().empty()) run.progress.said = feed.trouble();
    find_metric();
    if (model_.metric.empty()) return true;
    const results::Reduction reduction = results::parse_value(model_.metric);
    const auto found = run.progress.metrics.find(reduction.metric);
    if (found != run.progress.metrics.end()) run.value = value_of(found->second, reduction);
  }
  const bool heard = run.state == RunState::kRunning && run.progress.heard > 0;
  run.silent_seconds = heard ? std::max(0.0, wall_clock() - run.progress.heard) : 0;
  return news;
}

void PanelFeed::read_database() {
  stale_ = false;
  try {
    // Waiting here would delay the start of runs.
    if (!results::is_being_written(workspace_ / results::kStoreLock))
      results::fold(workspace_, {id_of_identity});
  } catch (const std::exception&) {
    // It cannot be written: shown as it is.
  }
  try {
    const auto database = results::open_for_reading(workspace_);
    read_table(*database);
    find_metric();
    read_values(*database);
  } catch (const std::exception&) {
    // There is no database yet.
  }
}

// A value that no run has yet becomes a column later.
void PanelFeed::read_table(results::Database& database) {
  results::TableSpec spec = spec_;
  std::erase_if(spec.values, [&](const std::string& value) {
    return !is_known(database, results::parse_value(value).metric);
  });
  if (spec.values.empty() && !spec_.values.empty()) return;
  try {
    model_.table = results::make_table(database, kRoles, spec);
  } catch (const std::invalid_argument&) {
    model_.table.reset();
  }
}

// For runs whose events are not read here.
void PanelFeed::read_values(results::Database& database) {
  if (model_.metric.empty()) return;
  const results::Reduction reduction = results::parse_value(model_.metric);
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < model_.runs.size(); ++i)
    if (!feeds_.contains(i)) index.emplace(model_.runs[i].id, i);
  results::Statement rows(database,
                          "SELECT id, last, lowest, highest FROM summaries JOIN runs USING (run) "
                          "WHERE metric = ?");
  rows.bind(1, std::string_view(reduction.metric));
  while (rows.step()) {
    const auto found = index.find(rows.text(0));
    if (found == index.end()) continue;
    results::Summary summary;
    summary.last = rows.is_null(1) ? kUnknown : rows.real(1);
    summary.lowest = {!rows.is_null(2), rows.real(2), 0};
    summary.highest = {!rows.is_null(3), rows.real(3), 0};
    model_.runs[found->second].value = value_of(summary, reduction);
  }
}

}  // namespace runner
