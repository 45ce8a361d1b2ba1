#include "runner/front/panel/feed.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "results/events/event_writer.h"
#include "results/events/metric.h"
#include "results/events/run_folder.h"
#include "runner/config/keys/config_keys.h"
#include "runner/front/views/scope.h"
#include "runner/sweeps/language/choice.h"

namespace runner {
namespace {

using results::RunState;

constexpr double kEventsEvery = 0.5, kEtaEvery = 1, kDatabaseEvery = 2;
constexpr double kFeedShare = 300;  // the database may use 1/300 of a core's time

double value_of(const results::Summary& summary, const results::Reduction& reduction) {
  if (reduction.how != results::Reduction::How::kBest) return summary.last;
  const auto& extreme =
      results::lower_is_better(reduction.metric) ? summary.lowest : summary.highest;
  return extreme.known ? extreme.value : kUnknown;
}

bool is_validation(const std::string& name) { return name.starts_with("valid."); }

}  // namespace

PanelFeed::PanelFeed(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                     std::filesystem::path workspace)
    : workspace_(std::move(workspace)) {
  if (!sweep.views.tables.empty()) spec_ = sweep.views.tables[0];
  spec_.sweep = sweep.name;
  spec_.scope.order = order_of(plan.expansion.axes);
  spec_.scope.names = sweep.views.names;
  model_.sweep = sweep.name;
  model_.scale = request.scale;
  model_.called = described(sweep, request);
  model_.command = run_command(sweep, request);
  model_.title = sweep.title;
  model_.jobs = plan.slots;
  model_.eta_seconds = plan.eta_seconds;
  model_.metric = spec_.by;
  for (const Axis& axis : plan.expansion.axes)
    for (const Assignment& each : axis.steps[0]) model_.axes.push_back(key_name(each.key));
  for (const PlannedRun& planned : plan.runs) {
    spec_.scope.only.insert(planned.point.id);
    PanelRun run{.id = planned.point.id,
                 .at = {},
                 .state = planned.state,
                 .why = why_text(planned.state, planned.message)};
    for (std::size_t axis = 0; axis < plan.expansion.axes.size(); ++axis)
      for (const Assignment& each : plan.expansion.axes[axis].steps[planned.point.steps[axis]])
        run.at.push_back(value_text(*each.value));
    run.steps = planned.steps;
    run.seconds = planned.seconds;
    run.planned_at = run.progress.step = run.progress.saved = planned.steps_done;
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
  return read_database(now) || news;
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
  run.silent_seconds =
      heard ? std::max(0.0, results::seconds_since_1970() - run.progress.heard) : 0;
  return news;
}

DatabaseQuery PanelFeed::query() const { return {workspace_, spec_, model_.metric}; }

void PanelFeed::read_database_now() {
  DatabaseQuery all = query();
  all.once = true;
  take(runner::read_database(all));
}

// False: nothing new.
bool PanelFeed::read_database(double now) {
  if (database_.valid()) {
    if (database_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    const std::optional<DatabaseValues> values = database_.get();
    take(values);
    stale_ = stale_ || !values;
    next_database_ = now + std::max(kDatabaseEvery, values ? kFeedShare * values->seconds : 0);
    return true;
  }
  if (!stale_ || now < next_database_) return false;
  stale_ = false;
  database_ = read_database_beside(query());
  return false;
}

void PanelFeed::take(const std::optional<DatabaseValues>& values) {
  if (!values) return;
  model_.table = values->table;
  if (model_.metric.empty()) model_.metric = values->metric;
  find_metric();
  if (model_.metric.empty() || model_.metric != values->metric) return;
  const results::Reduction reduction = results::parse_value(model_.metric);
  for (std::size_t i = 0; i < model_.runs.size(); ++i) {
    const auto found = values->of_run.find(model_.runs[i].id);
    if (found != values->of_run.end() && !feeds_.contains(i))  // otherwise its events are newer
      model_.runs[i].value = value_of(found->second, reduction);
  }
}

}  // namespace runner
