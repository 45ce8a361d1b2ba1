#include "runner/front/panel/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "results/text/escape.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/duration.h"

namespace runner {
namespace {

using results::RunState;

constexpr int kId = 8, kGap = 2;
constexpr int kLeastName = 32;  // columns are dropped before names are cut below it
constexpr int kLeastAxis = 6;
constexpr double kSilent = 60;  // seconds after which silence is shown

std::string right(const std::string& text, int width) {
  const int blanks = std::max(0, width - display_width(text));
  return std::string(static_cast<std::size_t>(blanks), ' ') + text;
}

std::string last_part(const std::string& key) { return key.substr(key.rfind('.') + 1); }

// Wide enough for the last step, so that columns do not move.
std::size_t step_width(const PanelRun& run) {
  return run.steps > 0 ? 2 * fmt::format("{:.0f}", run.steps).size() + 1 : step_text(run).size();
}

Style style_of(RunState state) {
  switch (counted_as(state)) {
    case RunState::kFailed:
      return Style::kBad;
    case RunState::kInterrupted:
    case RunState::kCancelled:
      return Style::kWarn;
    case RunState::kDone:
      return Style::kGood;
    default:
      return Style::kDim;
  }
}

constexpr std::array kOrder = {RunState::kRunning,   RunState::kFailed, RunState::kInterrupted,
                               RunState::kCancelled, RunState::kNew,    RunState::kDone};
static_assert(kOrder.size() == results::kCountedStates.size());

}  // namespace

std::vector<std::size_t> panel_order(const PanelModel& model) {
  std::vector<std::size_t> order;
  for (const RunState state : kOrder)
    for (std::size_t i = 0; i < model.runs.size(); ++i)
      if (counted_as(model.runs[i].state) == state) order.push_back(i);
  return order;
}

std::string shown_text(const Terminal& terminal, std::string_view text) {
  std::string plain = results::safe_text(text);
  if (terminal.unicode || !terminal.tty) return plain;
  std::string ascii;
  for (const char c : plain) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80)
      ascii += c;
    else if (byte >= 0xC0)  // the first of a character
      ascii += '?';
  }
  return ascii;
}

std::string metric_text(double value) {
  if (std::isnan(value)) return "";
  const double size = std::abs(value);
  if (value == std::floor(value) && size < 1e7) return fmt::format("{:.0f}", value);
  const bool wide = size > 0 && (size < 1e-3 || size >= 1e5) && std::isfinite(value);
  return wide ? fmt::format("{:.1e}", value) : fmt::format("{:.4g}", value);
}

std::string step_text(const PanelRun& run) {
  if (run.steps <= 0) return fmt::format("{}", run.progress.step);
  return fmt::format("{}/{:.0f}", run.progress.step, run.steps);
}

std::string speed_text(double steps_per_second) {
  if (!(steps_per_second > 0)) return "";
  return steps_per_second < 1000 ? fmt::format("{:.3g}/s", steps_per_second)
                                 : fmt::format("{:.0f}/s", steps_per_second);
}

PanelColumns::PanelColumns(const PanelModel& model, const Terminal& terminal)
    : model_(model), terminal_(terminal), pace_(pace_of(model)) {
  for (const std::string& axis : model.axes) axes_.push_back(display_width(last_part(axis)));
  std::size_t longest = 4;
  for (const PanelRun& run : model.runs) {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      axes_[i] = std::max(axes_[i], display_width(shown_text(terminal, run.at[i])));
    longest = std::max(longest, step_width(run));
  }
  int wanted = axes_.empty() ? 0 : -kGap;
  for (const int width : axes_) wanted += width + kGap;
  const std::string metric = last_part(model.metric.substr(0, model.metric.find('@')));
  columns_ = {{Field::kStep, "step", static_cast<int>(longest)},
              {Field::kLeft, "left", 6},
              {Field::kValue, metric, std::max(7, display_width(metric))},
              {Field::kLoss, "loss", 7},
              {Field::kSpeed, "speed", 7}};
  if (metric.empty()) columns_.erase(columns_.begin() + 2);
  const auto room = [&] {
    int taken = 1 + kId + kGap + 1;
    for (const Column& column : columns_) taken += 1 + column.width;
    return terminal.width - taken;
  };
  while (columns_.size() > 1 && room() < std::min(wanted, kLeastName)) {
    left_out_ += (left_out_.empty() ? "" : ", ") + columns_.back().name;
    columns_.pop_back();
  }
  name_ = std::clamp(room(), 0, wanted);
  for (; wanted > name_ && !axes_.empty(); --wanted) {
    int& widest = *std::max_element(axes_.begin(), axes_.end());
    if (widest <= kLeastAxis) break;
    --widest;
  }
}

std::string PanelColumns::name_of(const std::vector<std::string>& cells) const {
  const char* ellipsis = terminal_.ellipsis();
  std::string name;
  for (std::size_t i = 0; i < cells.size(); ++i)
    name += (i > 0 ? "  " : "") +
            padded(cut_to_width(shown_text(terminal_, cells[i]), axes_[i], ellipsis), axes_[i]);
  return padded(cut_to_width(name, name_, ellipsis), name_);
}

std::string PanelColumns::header() const {
  std::vector<std::string> names;
  for (const std::string& axis : model_.axes) names.push_back(last_part(axis));
  std::string text = " " + padded("run", kId) + "  " + name_of(names);
  text += ' ';
  for (const Column& column : columns_) text += ' ' + right(column.name, column.width);
  return styled(terminal_, Style::kBold, cut_to_width(text, terminal_.width, ""));
}

std::string PanelColumns::field_text(const PanelRun& run, Field field) const {
  switch (field) {
    case Field::kStep:
      return step_text(run);
    case Field::kLoss:
      return metric_text(run.progress.loss);
    case Field::kSpeed:
      return speed_text(run.progress.steps_per_second);
    case Field::kValue:
      return metric_text(run.value);
    case Field::kLeft:
      break;
  }
  if (run.silent_seconds > kSilent) return "silent";
  const double left = seconds_left(run, pace_);
  if (!(left > 0)) return "";
  return left < 48 * 3600 ? duration_text(left) : fmt::format("{:.0f} d", left / 86400);
}

// A running run shows its numbers, any other its state; the value stays in its column.
std::string PanelColumns::fields_of(const PanelRun& run) const {
  std::string text;
  const bool runs = run.state == RunState::kRunning;
  if (!runs && run.state != RunState::kDone) {
    text = "  " + (run.why.empty() ? std::string(results::name_of(run.state))
                                   : shown_text(terminal_, run.why));
    if (row_of(run.state).starts && step_of(run) > 0)
      text += fmt::format(", resumes after step {}", step_of(run));
    return text;
  }
  text += ' ';
  for (const Column& column : columns_) {
    const bool shown = runs || column.field == Field::kValue || column.field == Field::kLoss;
    text += ' ' + right(shown                          ? field_text(run, column.field)
                        : column.field == Field::kStep ? std::string(results::name_of(run.state))
                                                       : "",
                        column.width);
  }
  return text;
}

std::string PanelColumns::row(const PanelRun& run, bool selected) const {
  std::string text =
      (selected ? ">" : " ") + run.id.substr(0, kId) + "  " + name_of(run.at) + fields_of(run);
  const std::string cut = cut_to_width(text, terminal_.width, terminal_.ellipsis());
  if (selected) return styled(terminal_, Style::kBold, cut);
  return run.state == RunState::kRunning ? cut : styled(terminal_, style_of(run.state), cut);
}

}  // namespace runner
