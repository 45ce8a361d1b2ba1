#include "runner/front/pages/status_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "lcsm/base/words.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/text_table.h"
#include "runner/front/panel/rows.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;
using results::RunState;

constexpr std::size_t kRunsShown = 12;  // runs of a state on a terminal

// States in the order of lcsm.status/1, which calls a new run "waiting".
constexpr RunState kStatusStates[] = {RunState::kRunning, RunState::kFailed, RunState::kInterrupted,
                                      RunState::kNew,     RunState::kDone,   RunState::kCancelled};

std::string point_text(const PanelModel& model, const PanelRun& run, const Terminal& terminal) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < model.axes.size(); ++i)
    parts.push_back(model.axes[i] + " = " + shown_text(terminal, run.at[i]));
  return lcsm::joined(parts);
}

// The runs of one state as a table; `cells` follow id and point.
template <class Cells>
std::string table_of(const PanelModel& model, RunState state, std::vector<Column> more,
                     const Terminal& terminal, const Cells& cells) {
  if (model.counts().of(state) == 0) return "";
  std::vector<Column> columns = {{std::string(name_of(state))}, {"point", Align::kLeft, 16}};
  columns.insert(columns.end(), more.begin(), more.end());
  TextTable table(columns);
  std::size_t rows = 0;
  for (const PanelRun& run : model.runs) {
    if (counted_as(run.state) != state || (terminal.tty && rows++ >= kRunsShown)) continue;
    std::vector<std::string> row = {run.id.substr(0, 8), point_text(model, run, terminal)};
    for (std::string& cell : cells(run)) row.push_back(std::move(cell));
    table.add_row(std::move(row));
  }
  const std::string text = "\n" + table.text(terminal);
  return rows > kRunsShown ? text + fmt::format("... {} more: --json has all\n", rows - kRunsShown)
                           : text;
}

Json json_of(const PanelModel& model, const PanelRun& run) {
  Json at = Json::object(), metrics = Json::object();
  for (std::size_t i = 0; i < model.axes.size(); ++i) at[model.axes[i]] = run.at[i];
  for (const auto& [name, summary] : run.progress.metrics)
    metrics[name] = number_json(summary.last);
  return {{"id", run.id},
          {"state", name_of(counted_as(run.state))},
          {"at", at},
          {"why", run.why},
          {"step", step_of(run)},
          {"steps", run.steps},
          {"loss", number_json(run.progress.loss)},
          {"steps_per_second", number_json(run.progress.steps_per_second)},
          {"seconds_left", number_json(seconds_left(run, pace_of(model)))},
          {"silent_seconds", run.silent_seconds},
          {"metrics", metrics}};
}

}  // namespace

std::string status_page(const PanelModel& model, const Terminal& terminal) {
  std::string text =
      fmt::format("{}{}{}\n", shown_text(terminal, model.called), model.title.empty() ? "" : ": ",
                  shown_text(terminal, model.title));
  const bool left = std::any_of(model.runs.begin(), model.runs.end(),
                                [](const PanelRun& run) { return row_of(run.state).starts; });
  const std::string none =
      left ? "no process: `" + model.command + "` runs the rest" : "no process";
  text += fmt::format("run by      {}\n",
                      shown_text(terminal, model.runner.empty() ? none : model.runner));
  if (!model.queued.empty())
    text += fmt::format("queued      {}\n", shown_text(terminal, lcsm::joined(model.queued)));
  text += fmt::format("points      {}: {}\n", model.runs.size(), model.counts().text());
  if (model.eta_seconds > 0)
    text += fmt::format("left        {}{}\n", duration_text(model.eta_seconds),
                        model.jobs > 0 ? fmt::format(" with {} at a time", model.jobs)
                                       : ", paused: `lcsm jobs N` continues");
  if (!model.message.empty())
    text += fmt::format("note        {}\n", shown_text(terminal, model.message));
  if (const auto best = model.best())
    text += fmt::format("best        {} {}: {}  {}\n", shown_text(terminal, model.metric),
                        metric_text(best->value), model.runs[best->run].id.substr(0, 8),
                        point_text(model, model.runs[best->run], terminal));
  const double pace = pace_of(model);
  text += table_of(model, RunState::kRunning,
                   {{"step", Align::kRight},
                    {"loss", Align::kRight},
                    {"speed", Align::kRight},
                    {"left", Align::kRight}},
                   terminal, [&](const PanelRun& run) -> std::vector<std::string> {
                     return {step_text(run), metric_text(run.progress.loss),
                             speed_text(run.progress.steps_per_second),
                             duration_text(seconds_left(run, pace))};
                   });
  return text + table_of(model, RunState::kFailed, {{"why", Align::kLeft, 12}}, terminal,
                         [&](const PanelRun& run) -> std::vector<std::string> {
                           return {shown_text(terminal, run.why)};
                         });
}

std::string status_json(const PanelModel& model) {
  Json states = Json::object(), runs = Json::array(), best;
  const RunCounts counts = model.counts();
  for (const RunState state : kStatusStates)
    states[state == RunState::kNew ? "waiting" : std::string(name_of(state))] = counts.of(state);
  for (const PanelRun& run : model.runs)
    if (run.state == RunState::kRunning || has_failed(run.state))
      runs.push_back(json_of(model, run));
  if (const auto found = model.best())
    best = {{"id", model.runs[found->run].id},
            {"metric", model.metric},
            {"value", number_json(found->value)}};
  const Json json = {{"schema", "lcsm.status/1"},
                     {"sweep", model.sweep},
                     {"scale", model.scale},
                     {"title", model.title},
                     {"run_by", model.runner.empty() ? Json() : Json(model.runner)},
                     {"queued", model.queued},
                     {"points", model.runs.size()},
                     {"states", states},
                     {"share_done", model.share_done()},
                     {"slots", model.jobs},
                     {"eta_seconds", number_json(model.eta_seconds)},
                     {"best", best},
                     {"runs", runs}};
  return printed_json(json);
}

}  // namespace runner
