#include "runner/front/views/figure_panel.h"

#include <algorithm>
#include <utility>

#include "results/figures/figure_kinds.h"
#include "results/text/escape.h"
#include "runner/base/text/display_width.h"

namespace runner {
namespace {

constexpr int kFewestRows = 8, kRows = 16;
constexpr int kAroundPanel = 6, kAroundFigure = 5;  // lines: axes; title, key and prompt

using Labels = std::vector<std::pair<int, std::string>>;  // by column

// Draws one line with each label centered over its column; labels that do not fit are left out.
std::string label_line(const Labels& labels, int width) {
  std::string line;
  for (const auto& [column, text] : labels) {
    const int size = display_width(text), used = display_width(line);
    const int start = std::clamp(column - size / 2, 0, std::max(0, width - size));
    if (used > 0 && start <= used) continue;
    line += blanks(start - used) + text;
  }
  return line;
}

}  // namespace

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

std::string name_text(const std::string& text, int width, const Terminal& terminal) {
  return cut_to_width(results::safe_text(text), width, terminal.unicode ? "…" : ".");
}

PanelBase::PanelBase(const PanelText& panel)
    : figure_(panel.figure),
      panel_(panel.panel),
      terminal_(panel.terminal),
      width_(panel.width),
      joined_(panel.joined),
      x_(results::kind_of(panel.figure).x_axis(panel.figure)),
      y_(results::kind_of(panel.figure).y_axis(panel.figure)) {}

std::string PanelBase::bottom(const results::Axis& axis, const TextCanvas& canvas, int left,
                              int width) const {
  Labels labels;
  std::string line;
  for (const auto& [value, text] : axis.ticks)
    labels.emplace_back(canvas.column(results::part_of(value, axis)), text);
  for (int column = 0; column < width; ++column) {
    const bool tick = std::any_of(labels.begin(), labels.end(),
                                  [&](const auto& label) { return label.first == column; });
    line += tick ? either("┬", "+") : either("─", "-");
  }
  return blanks(left - 1) + either("└", "+") + line + "\n" + blanks(left) +
         label_line(labels, width) + "\n";
}

int PanelBase::rows() const {
  if (terminal_.height == 0) return kRows;
  const int panels = std::max(1, static_cast<int>(figure_.panels.size()));
  const int each = (terminal_.height - kAroundFigure) / panels - kAroundPanel;
  return std::clamp(each, kFewestRows, kRows);
}

}  // namespace runner
