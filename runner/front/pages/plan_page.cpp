#include "runner/front/pages/plan_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/text/escape.h"
#include "runner/base/files/json_file.h"
#include "runner/base/text/counts.h"
#include "runner/base/text/duration.h"
#include "runner/base/text/text_table.h"
#include "runner/config/keys/config_keys.h"
#include "runner/sweeps/language/choice.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;
using results::RunState;

constexpr std::size_t kPointsShown = 30;  // points on a terminal
// States in the order of lcsm.plan/1.
constexpr RunState kPlanStates[] = {RunState::kNew,     RunState::kDone,   RunState::kInterrupted,
                                    RunState::kRunning, RunState::kFailed, RunState::kCancelled};

// "measured", "12 measured, 4 scaled": where the times of the remaining runs come from.
std::string sources_text(const SweepPlan& plan) {
  std::vector<Count> counts;
  for (const char* source : {"measured", "scaled", "guessed"}) {
    const auto n = std::count_if(plan.runs.begin(), plan.runs.end(), [&](const PlannedRun& run) {
      return run.to_do() && run.source == source;
    });
    counts.push_back({static_cast<std::size_t>(n), source});
  }
  const std::string text = counts_text(counts);
  return text.empty() ? "nothing left" : text;
}

std::vector<Column> columns_of(const SweepPlan& plan, bool gpu) {
  std::vector<Column> columns = {{"run"}};
  for (const Axis& axis : plan.expansion.axes)
    for (const Assignment& each : axis.steps[0])
      columns.push_back({key_name(each.key), Align::kLeft, 6});
  columns.push_back({"state"});
  columns.push_back({"steps", Align::kRight});
  columns.push_back({"time left", Align::kRight});
  if (gpu) columns.push_back({fmt::format("on one {}", plan.gpu->title), Align::kRight});
  return columns;
}

std::string points_table(const SweepPlan& plan, const Terminal& terminal, std::size_t shown,
                         bool gpu) {
  TextTable table(columns_of(plan, gpu));
  for (std::size_t i = 0; i < std::min(shown, plan.runs.size()); ++i) {
    const PlannedRun& run = plan.runs[i];
    std::vector<std::string> cells = {run.point.id.substr(0, 8)};
    for (std::size_t axis = 0; axis < plan.expansion.axes.size(); ++axis)
      for (const Assignment& each : plan.expansion.axes[axis].steps[run.point.steps[axis]])
        cells.push_back(results::safe_text(value_text(*each.value)));
    cells.emplace_back(name_of(run.state));
    cells.push_back(run.steps > 0 ? fmt::format("{:.0f}", run.steps) : "");
    cells.push_back(run.seconds > 0 ? duration_text(run.seconds) : "");
    if (gpu) cells.push_back(run.gpu_seconds > 0 ? duration_text(run.gpu_seconds) : "");
    table.add_row(std::move(cells));
  }
  return table.text(terminal);
}

Json json_of(const PlannedRun& run, const Expansion& expansion) {
  Json at = Json::object();
  for (std::size_t axis = 0; axis < expansion.axes.size(); ++axis)
    for (const Assignment& each : expansion.axes[axis].steps[run.point.steps[axis]])
      std::visit([&](const auto& value) { at[key_name(each.key)] = value; }, *each.value);
  return {{"id", run.point.id},
          {"state", name_of(counted_as(run.state))},
          {"at", at},
          {"steps", run.steps},
          {"steps_done", run.steps_done},
          {"seconds_left", run.seconds},
          {"memory_bytes", run.memory_bytes},
          {"disk_bytes", run.disk_bytes},
          {"gpu_seconds_left", run.gpu_seconds},
          {"gpu_bytes", run.gpu_bytes},
          {"estimate", run.source}};
}

// A line for work of more than a day, or on request.
std::string gpu_text(const SweepPlan& plan, bool asked) {
  constexpr double kDay = 86400;
  if (!asked && plan.seconds < kDay) return "";
  std::string text =
      fmt::format("on a GPU    {} on one {}", duration_text(plan.gpu_seconds), plan.gpu->title);
  if (plan.gpu_bf16_seconds < plan.gpu_seconds)
    text += fmt::format(", {} with optim.precision = bf16", duration_text(plan.gpu_bf16_seconds));
  text += fmt::format("; at most {} of its {} (guessed from steps on an H200)\n",
                      size_text(plan.gpu_bytes), size_text(plan.gpu->memory_bytes));
  if (plan.gpu_bytes > plan.gpu->memory_bytes)
    text += "            optim.accumulate splits a batch that does not fit\n";
  return text;
}

}  // namespace

std::string plan_page(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const Terminal& terminal, const PlanShown& shown, const EngineCost& cost) {
  std::string text = fmt::format("{}{}{}\n", results::safe_text(described(sweep, request)),
                                 sweep.title.empty() ? "" : ": ", results::safe_text(sweep.title));
  if (!sweep.paper.empty()) text += fmt::format("published   {}\n", sweep.paper);
  text += fmt::format("points      {}: {}", plan.runs.size(), plan.counts().text());
  if (plan.expansion.excluded > 0) text += fmt::format("; {} excluded", plan.expansion.excluded);
  text += fmt::format("\ntime        {} of work, {} with {} at a time ({})\n",
                      duration_text(plan.seconds), duration_text(plan.eta_seconds), plan.slots,
                      sources_text(plan));
  text += gpu_text(plan, shown.gpu);
  text += fmt::format("memory      {}, disk {} (from the sizes of the models)\n",
                      size_text(plan.memory_bytes), size_text(plan.disk_bytes));
  text += cost.text;
  for (const std::string& what : plan.missing_data)
    text += fmt::format("missing     {}\n", results::safe_text(what));
  text += "\n";
  const std::size_t points = shown.all || !terminal.tty ? plan.runs.size() : kPointsShown;
  text += points_table(plan, terminal, points, shown.gpu);
  if (points < plan.runs.size())
    text += fmt::format("... {} more: --all prints them\n", plan.runs.size() - points);
  return text;
}

std::string plan_json(const SweepFile& sweep, const SweepRequest& request, const SweepPlan& plan,
                      const std::string& engine, const EngineCost& cost) {
  Json counts = Json::object(), points = Json::array();
  const RunCounts counted = plan.counts();
  for (const RunState state : kPlanStates) counts[std::string(name_of(state))] = counted.of(state);
  for (const PlannedRun& run : plan.runs) points.push_back(json_of(run, plan.expansion));
  Json json = {{"schema", "lcsm.plan/1"},
               {"sweep", sweep.name},
               {"scale", request.scale},
               {"title", sweep.title},
               {"paper", sweep.paper},
               {"points", plan.runs.size()},
               {"excluded", plan.expansion.excluded},
               {"states", counts},
               {"slots", plan.slots},
               {"seconds_left", plan.seconds},
               {"eta_seconds", plan.eta_seconds},
               {"memory_bytes", plan.memory_bytes},
               {"disk_bytes", plan.disk_bytes},
               {"gpu",
                {{"kind", plan.gpu->name},
                 {"seconds_left", plan.gpu_seconds},
                 {"bf16_seconds_left", plan.gpu_bf16_seconds},
                 {"memory_bytes", plan.gpu_bytes}}},
               {"missing_data", plan.missing_data},
               {"notes", plan.expansion.notes},
               {"runs", points}};
  if (!cost.json.is_null()) json[engine] = cost.json;
  return printed_json(json);
}

}  // namespace runner
