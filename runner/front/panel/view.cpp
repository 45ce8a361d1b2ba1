#include "runner/front/panel/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lcsm/base/words.h"
#include "runner/base/files/text_lines.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/duration.h"
#include "runner/front/panel/page.h"
#include "runner/front/panel/rows.h"
#include "runner/front/views/table_text.h"

namespace runner {
namespace {

using Lines = std::vector<std::string>;

// `left` and, if both fit, `right` at the other end.
std::string between(const Terminal& terminal, const std::string& left, const std::string& right) {
  const int room = terminal.width - display_width(right) - 2;
  if (room < 8) return cut(terminal, right.empty() ? left : right);
  const std::string start = cut_to_width(left, room, terminal.ellipsis());
  const int gap = terminal.width - display_width(start) - display_width(right);
  return start + std::string(static_cast<std::size_t>(gap), ' ') + right;
}

// "process 17, 2 at a time, paused".
std::string who_text(const PanelModel& model, const PanelView& view, const Terminal& terminal) {
  std::string text;
  if (view.read_only)
    text = model.runner.empty() ? "not running" : shown_text(terminal, model.runner);
  if (!view.read_only || !model.runner.empty())
    text += fmt::format("{}{} at a time", text.empty() ? "" : ", ", model.jobs);
  if (model.stopping) return text + ", stopping";
  return model.paused ? text + ", paused" : text;
}

std::string title_line(const PanelModel& model, const PanelView& view, const Terminal& terminal) {
  const std::string name = shown_text(terminal, model.called);
  const std::string title = shown_text(terminal, model.title);
  const std::string line = between(terminal, name + (title.empty() ? "" : "  " + title),
                                   who_text(model, view, terminal));
  const bool odd = model.paused || model.stopping;
  return styled(terminal, odd ? Style::kWarn : Style::kBold, line);
}

std::string bar_line(const PanelModel& model, const Terminal& terminal) {
  const double share = model.share_done();
  std::string right = fmt::format("{:3.0f} %", std::floor(share * 100));
  if (model.eta_seconds > 0) right += fmt::format("  {} left", duration_text(model.eta_seconds));
  const int room = terminal.width - display_width(right) - 2;
  if (room < 4) return cut(terminal, right);
  const int full = static_cast<int>(share * room);
  std::string bar;
  for (int i = 0; i < room; ++i)
    bar += terminal.unicode ? (i < full ? "█" : "░") : (i < full ? "#" : ".");
  return styled(terminal,
                model.counts().of(results::RunState::kFailed) > 0 ? Style::kWarn : Style::kGood,
                bar) +
         "  " + right;
}

// A read-only panel does not know when the sweep was started.
std::string counts_line(const PanelModel& model, const PanelView& view, const Terminal& terminal) {
  const RunCounts counts = model.counts();
  const std::string text = fmt::format("{} of {}", counts.text(), counts.all());
  const std::string took =
      view.read_only ? "" : fmt::format("{} so far", duration_text(model.seconds));
  const std::string line = between(terminal, text, took);
  return counts.of(results::RunState::kFailed) > 0 ? styled(terminal, Style::kBad, line) : line;
}

std::string best_line(const PanelModel& model, const Terminal& terminal) {
  const auto best = model.best();
  if (!best) return "";
  const PanelRun& run = model.runs[best->run];
  std::string text = fmt::format("best {} {}: {}", shown_text(terminal, model.metric),
                                 metric_text(best->value), run.id.substr(0, 8));
  for (const std::string& value : run.at) text += "  " + shown_text(terminal, value);
  return cut(terminal, text);
}

std::string keys_line(const PanelView& view, const Terminal& terminal) {
  const std::string move = terminal.unicode ? "↑↓" : "j/k";
  std::string keys = view.page == PanelView::Page::kRuns ? move + "  enter detail  l log"
                                                         : "q back  " + move + " other run";
  if (view.page == PanelView::Page::kDetail) keys += "  l log";
  if (view.page == PanelView::Page::kLog) keys += "  enter detail";
  if (!view.read_only) keys += "  p pause  +- jobs  r retry  c cancel";
  if (view.page == PanelView::Page::kRuns)
    keys += view.read_only ? "  q leave" : "  d detach  q stop";
  return styled(terminal, Style::kDim, cut(terminal, keys));
}

// "d a run diverged; r a run has not ended": the marks in the cells.
std::string legend(const results::Table& table) {
  std::vector<std::string> marks;
  for (const results::TableNote& note : table.notes)
    for (const auto& [sign, meaning] : note.parts)
      if (note.about == results::TableNote::About::kMark) marks.push_back(sign + " " + meaning);
  return lcsm::joined(marks, "; ");
}

// The sweep's table, cut to `height` rows, with the meaning of its marks if there is room.
Lines table_lines(const PanelModel& model, const Terminal& terminal, std::size_t height) {
  Lines lines;
  if (!model.table || model.table->rows.empty()) return lines;
  results::Table table = *model.table;
  const std::string marks = legend(table);
  table.notes.clear();
  table.claims.clear();
  Terminal plain = terminal;
  plain.colour = false;
  for_each_line(table_text(table, plain), [&](std::string_view line) {
    if (!line.empty()) lines.emplace_back(cut_to_width(line, terminal.width, ""));
  });
  if (!marks.empty() && lines.size() < height)
    lines.push_back(styled(terminal, Style::kDim, cut(terminal, marks)));
  if (lines.size() > height) {
    constexpr std::size_t kLeast = 4;  // title, header, a row, how many are missing
    if (height < kLeast) return {};
    const std::size_t hidden = lines.size() - height + 1;
    lines.resize(height - 1);
    lines.push_back(
        cut(terminal, fmt::format("... {} more lines: lcsm table prints them", hidden)));
  }
  return lines;
}

// The parts around the list, the most dispensable first.
enum Part { kBlank, kBest, kTitle, kHeader, kMessage, kKeys, kCounts, kBar, kPartCount };

class PanelLines {
 public:
  PanelLines(const PanelModel& model, const PanelView& view, const Terminal& terminal, int height)
      : model_(model), view_(view), terminal_(terminal), columns_(model, terminal), left_(height) {
    shown_.fill(true);
    shown_[kBest] = model.best().has_value();
    shown_[kMessage] = !message().empty();
    left_ -= static_cast<int>(std::count(shown_.begin(), shown_.end(), true));
    const int least = std::min<int>(3, static_cast<int>(model.runs.size()));
    for (std::size_t part = 0; part < shown_.size() && left_ < std::min(least, height - 1); ++part)
      if (shown_[part]) {
        shown_[part] = false;
        ++left_;
      }
  }

  Lines lines() {
    Lines head, tail;
    if (shown_[kTitle]) head.push_back(title_line(model_, view_, terminal_));
    if (shown_[kBar]) head.push_back(bar_line(model_, terminal_));
    if (shown_[kCounts]) head.push_back(counts_line(model_, view_, terminal_));
    if (shown_[kBest]) head.push_back(best_line(model_, terminal_));
    if (shown_[kBlank]) head.emplace_back();
    if (shown_[kMessage]) tail.push_back(cut(terminal_, shown_text(terminal_, message())));
    if (shown_[kKeys]) tail.push_back(keys_line(view_, terminal_));
    middle(&head);
    while (left_-- > 0) head.emplace_back();
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
  }

 private:
  std::string message() const { return view_.hint.empty() ? model_.message : view_.hint; }

  // The list of runs and, below it, the table, each with a note of what does not fit.
  void middle(Lines* page) {
    const auto room = static_cast<std::size_t>(std::max(0, left_));
    const std::size_t runs = model_.runs.size();
    const bool wants_table = model_.table && !model_.table->rows.empty();
    Lines table;
    std::size_t list = std::min(runs, room);
    if (wants_table) {
      const std::size_t least = std::min(runs, std::max<std::size_t>(3, room / 2));
      table = table_lines(model_, terminal_, room > least + 2 ? room - least - 2 : 0);
      if (!table.empty()) list = std::min(runs, room - table.size() - 1);
    }
    const bool cut_list = list < runs, no_table = wants_table && table.empty();
    const bool note = (cut_list || no_table || !columns_.left_out().empty()) && room > 1;
    if (note && list + (table.empty() ? 0 : table.size() + 1) >= room) --list;
    if (shown_[kHeader]) page->push_back(columns_.header());
    list_rows(page, list);
    if (note) page->push_back(note_line(runs - list, no_table));
    if (!table.empty()) page->emplace_back();
    page->insert(page->end(), table.begin(), table.end());
    left_ -= static_cast<int>(list + note + table.size() + !table.empty());
  }

  void list_rows(Lines* page, std::size_t count) const {
    const std::vector<std::size_t> order = panel_order(model_);
    std::size_t first = 0;
    if (view_.selected) {
      const auto at = static_cast<std::size_t>(
          std::find(order.begin(), order.end(), *view_.selected) - order.begin());
      first = std::min(at - std::min(at, count / 2), order.size() - count);
    }
    for (std::size_t i = first; i < first + count; ++i)
      page->push_back(columns_.row(model_.runs[order[i]], view_.selected == order[i]));
  }

  std::string note_line(std::size_t runs, bool table) const {
    std::vector<std::string> parts;
    if (runs > 0) parts.push_back(fmt::format("{} more runs", runs));
    if (table) parts.emplace_back("the table");
    if (!columns_.left_out().empty()) parts.push_back(columns_.left_out());
    return styled(terminal_, Style::kDim,
                  cut(terminal_, "(not shown: " + lcsm::joined(parts, "; ") + ")"));
  }

  const PanelModel& model_;
  const PanelView& view_;
  const Terminal& terminal_;
  PanelColumns columns_;
  std::array<bool, kPartCount> shown_{};
  int left_;  // free lines
};

// A run's page between the panel's first line and its keys.
Lines run_page(const PanelModel& model, const PanelView& view, const Terminal& terminal,
               std::size_t height) {
  const PanelRun& run = model.runs[*view.selected];
  Lines lines = view.page == PanelView::Page::kLog
                    ? log_lines(run, view.log, terminal, height > 2 ? height - 2 : height)
                    : detail_lines(model, run, terminal);
  const std::size_t room = height > 2 ? height - 2 : height;
  if (lines.size() > room) {
    const std::size_t hidden = lines.size() - room + 1;
    lines.resize(room - 1);
    lines.push_back(cut(terminal, fmt::format("(not shown: {} more lines)", hidden)));
  }
  if (height <= 2) return lines;
  lines.insert(lines.begin(), title_line(model, view, terminal));
  lines.resize(height - 1);
  lines.push_back(keys_line(view, terminal));
  return lines;
}

}  // namespace

std::vector<std::string> panel_lines(const PanelModel& model, const PanelView& view,
                                     const Terminal& terminal, int height) {
  if (height <= 0 || terminal.width <= 0) return {};
  if (view.page != PanelView::Page::kRuns && view.selected)
    return run_page(model, view, terminal, static_cast<std::size_t>(height));
  return PanelLines(model, view, terminal, height).lines();
}

}  // namespace runner
