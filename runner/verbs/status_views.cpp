#include "runner/verbs/status_views.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "runner/panel/rows.h"
#include "runner/text/counts.h"
#include "runner/text/duration.h"
#include "runner/text/text_table.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kShown = 12;  // runs of a state on a terminal

std::string states_text(const PanelModel& model) {
  std::vector<Count> counts;
  for (std::size_t i = 0; i < std::size(kPanelStates); ++i)
    counts.push_back({model.count(static_cast<PanelState>(i)), kPanelStates[i]});
  return counts_text(counts);
}

std::string point_text(const PanelModel& model, const PanelRun& run, const Terminal& terminal) {
  std::string text;
  for (std::size_t i = 0; i < model.axes.size(); ++i)
    text +=
        fmt::format("{}{} = {}", i > 0 ? ", " : "", model.axes[i], shown_text(terminal, run.at[i]));
  return text;
}

// The runs of one state as a table; `cells` are those behind id and point.
template <class Cells>
std::string table_of(const PanelModel& model, PanelState state, std::vector<Column> more,
                     const Terminal& terminal, const Cells& cells) {
  if (model.count(state) == 0) return "";
  std::vector<Column> columns = {{std::string(kPanelStates[static_cast<std::size_t>(state)])},
                                 {"point", Align::kLeft, 16}};
  columns.insert(columns.end(), more.begin(), more.end());
  TextTable table(columns);
  std::size_t rows = 0;
  for (const PanelRun& run : model.runs) {
    if (run.state != state || (terminal.tty && rows++ >= kShown)) continue;
    std::vector<std::string> row = {run.id.substr(0, 8), point_text(model, run, terminal)};
    for (std::string& cell : cells(run)) row.push_back(std::move(cell));
    table.add_row(std::move(row));
  }
  const std::string text = "\n" + table.text(terminal);
  return rows > kShown ? text + fmt::format("... {} more: --json has all\n", rows - kShown) : text;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_of(const PanelModel& model, const PanelRun& run) {
  Json at = Json::object(), metrics = Json::object();
  for (std::size_t i = 0; i < model.axes.size(); ++i) at[model.axes[i]] = run.at[i];
  for (const auto& [name, summary] : run.progress.metrics) metrics[name] = number(summary.last);
  return {{"id", run.id},
          {"state", kPanelStates[static_cast<std::size_t>(run.state)]},
          {"at", at},
          {"why", run.why},
          {"step", run.progress.step},
          {"steps", run.steps},
          {"loss", number(run.progress.loss)},
          {"steps_per_second", number(run.progress.steps_per_second)},
          {"seconds_left", number(seconds_left(run, pace_of(model)))},
          {"silent_seconds", run.silent_seconds},
          {"metrics", metrics}};
}

}  // namespace

std::string status_page(const PanelModel& model, const Terminal& terminal) {
  std::string text =
      fmt::format("{}{}{}\n", shown_text(terminal, model.called), model.title.empty() ? "" : ": ",
                  shown_text(terminal, model.title));
  const bool left =
      model.count(PanelState::kDone) + model.count(PanelState::kFailed) < model.runs.size();
  const std::string nobody =
      left ? "nobody: `" + model.command + "` goes on with what is left" : "nobody";
  text += fmt::format("run by      {}\n",
                      shown_text(terminal, model.runner.empty() ? nobody : model.runner));
  text += fmt::format("points      {}: {}\n", model.runs.size(), states_text(model));
  if (model.eta_seconds > 0)
    text += fmt::format("left        {} with {} at a time\n", duration_text(model.eta_seconds),
                        model.jobs);
  if (const auto best = model.best())
    text += fmt::format("best        {} {}: {}  {}\n", shown_text(terminal, model.metric),
                        metric_text(best->value), model.runs[best->run].id.substr(0, 8),
                        point_text(model, model.runs[best->run], terminal));
  const double pace = pace_of(model);
  text += table_of(model, PanelState::kRunning,
                   {{"step", Align::kRight},
                    {"loss", Align::kRight},
                    {"speed", Align::kRight},
                    {"left", Align::kRight}},
                   terminal, [&](const PanelRun& run) -> std::vector<std::string> {
                     return {step_text(run), metric_text(run.progress.loss),
                             speed_text(run.progress.steps_per_second),
                             duration_text(seconds_left(run, pace))};
                   });
  return text + table_of(model, PanelState::kFailed, {{"why", Align::kLeft, 12}}, terminal,
                         [&](const PanelRun& run) -> std::vector<std::string> {
                           return {shown_text(terminal, run.why)};
                         });
}

std::string status_json(const PanelModel& model) {
  Json states = Json::object(), runs = Json::array(), best;
  for (std::size_t i = 0; i < std::size(kPanelStates); ++i)
    states[std::string(kPanelStates[i])] = model.count(static_cast<PanelState>(i));
  for (const PanelRun& run : model.runs)
    if (run.state == PanelState::kRunning || run.state == PanelState::kFailed)
      runs.push_back(json_of(model, run));
  if (const auto found = model.best())
    best = {{"id", model.runs[found->run].id},
            {"metric", model.metric},
            {"value", number(found->value)}};
  const Json json = {{"schema", "lcsm.status/1"},
                     {"sweep", model.sweep},
                     {"scale", model.scale},
                     {"title", model.title},
                     {"run_by", model.runner.empty() ? Json() : Json(model.runner)},
                     {"points", model.runs.size()},
                     {"states", states},
                     {"share_done", model.share_done()},
                     {"slots", model.jobs},
                     {"eta_seconds", number(model.eta_seconds)},
                     {"best", best},
                     {"runs", runs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace runner
