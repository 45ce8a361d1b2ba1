#include "runner/front/panel/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/events/run_folder.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/duration.h"
#include "runner/front/panel/rows.h"

namespace runner {
namespace {

std::string state_text(const PanelRun& run) {
  std::string text(name_of(counted_as(run.state)));
  if (run.progress.attempts > 1) text += fmt::format(", attempt {}", run.progress.attempts);
  if (!run.why.empty()) text += ": " + run.why;
  return text;
}

std::string progress_text(const PanelModel& model, const PanelRun& run) {
  std::string text = fmt::format("{}", run.progress.step);
  if (run.steps > 0) text += fmt::format(" of {:.0f}", run.steps);
  if (const std::string speed = speed_text(run.progress.steps_per_second); !speed.empty())
    text += ", " + speed;
  const double left = seconds_left(run, pace_of(model));
  if (left > 0) text += fmt::format(", {} left", duration_text(left));
  if (run.state == results::RunState::kRunning && run.silent_seconds > 1)
    text += fmt::format(", last event {} ago", duration_text(run.silent_seconds));
  return text;
}

std::string extreme_text(const results::Summary::Extreme& extreme) {
  if (!extreme.known) return "";
  return fmt::format("{} at {}", metric_text(extreme.value), extreme.step);
}

}  // namespace

std::string cut(const Terminal& terminal, const std::string& text) {
  return cut_to_width(text, terminal.width, terminal.ellipsis());
}

std::vector<std::string> detail_lines(const PanelModel& model, const PanelRun& run,
                                      const Terminal& terminal) {
  std::vector<std::string> lines;
  std::size_t width = 8;
  for (const std::string& axis : model.axes) width = std::max(width, axis.size());
  const auto add = [&](const std::string& name, const std::string& text) {
    if (!text.empty())
      lines.push_back(
          cut(terminal, fmt::format("{:<{}}  {}", name, width, shown_text(terminal, text))));
  };
  add("run", run.id);
  for (std::size_t i = 0; i < model.axes.size(); ++i) add(model.axes[i], run.at[i]);
  add("state", state_text(run));
  add("step", progress_text(model, run));
  add("ended", run.progress.message);
  add("said", run.progress.said);
  if (run.progress.metrics.empty()) return lines;
  lines.emplace_back();
  const auto row = [&](const std::string& name, const std::string& last, const std::string& low,
                       const std::string& high) {
    return cut(terminal, fmt::format("{:<22}{:>10}  {:>18}  {:>18}", shown_text(terminal, name),
                                     last, low, high));
  };
  lines.push_back(styled(terminal, Style::kBold, row("metric", "last", "lowest", "highest")));
  for (const auto& [name, summary] : run.progress.metrics)
    lines.push_back(row(name, metric_text(summary.last), extreme_text(summary.lowest),
                        extreme_text(summary.highest)));
  return lines;
}

std::vector<std::string> log_lines(const PanelRun& run, const std::vector<std::string>& log,
                                   const Terminal& terminal, std::size_t height) {
  std::vector<std::string> lines = {styled(
      terminal, Style::kBold,
      cut(terminal, fmt::format("{}/{}/{}", results::kRunsFolder, run.id, results::kLogFile)))};
  if (log.empty())
    lines.push_back(
        cut(terminal, "empty: warnings and errors appear here; enter shows its metrics"));
  const std::size_t room = height > 1 ? height - 1 : 0;
  for (std::size_t i = log.size() - std::min(log.size(), room); i < log.size(); ++i)
    lines.push_back(cut(terminal, shown_text(terminal, log[i])));
  return lines;
}

}  // namespace runner
