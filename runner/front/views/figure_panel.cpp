#include "runner/front/views/figure_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "results/figures/figure_kinds.h"
#include "results/text/escape.h"
#include "runner/base/text/display_width.h"

namespace runner {
namespace {

constexpr int kFewestRows = 8, kRows = 16;
constexpr int kAroundPanel = 6, kAroundFigure = 5;  // lines: axes; title, key and prompt

// Colours of the 6 x 6 x 6 cube, which is the same in every theme: the nearest to viridis of
// increasing luminance, each with an ink that is legible on it.
struct Step {
  int colour, ink;
};
constexpr int kWhite = 231, kBlack = 16;
constexpr std::array kSteps = {
    Step{53, kWhite}, Step{54, kWhite}, Step{24, kWhite},  Step{31, kBlack},  Step{36, kBlack},
    Step{71, kBlack}, Step{77, kBlack}, Step{149, kBlack}, Step{220, kBlack}, Step{226, kBlack}};
constexpr std::size_t kFirstOfLines = 2, kLastOfLines = 6;  // neither vanish on black nor on white

const Step& step_of(double part, std::size_t first, std::size_t last) {
  const auto steps = static_cast<double>(last - first + 1);
  const double place = std::clamp(part * steps, 0.0, steps - 1);
  return kSteps[first + static_cast<std::size_t>(place)];
}

}  // namespace

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

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(0, count)), ' ');
}

std::string padded(const std::string& text, int width) {
  return text + blanks(width - display_width(text));
}

std::string name_text(const std::string& text, int width, const Terminal& terminal) {
  return cut_to_width(results::safe_text(text), width, terminal.unicode ? "…" : ".");
}

std::string on_scale(double part, const Terminal& terminal, const std::string& text) {
  if (!terminal.colour) return text;
  const Step& step = step_of(part, 0, kSteps.size() - 1);
  return fmt::format("\033[38;5;{};48;5;{}m{}\033[0m", step.ink, step.colour, text);
}

std::string in_line_scale(double part, const Terminal& terminal, const std::string& text) {
  if (!terminal.colour) return text;
  const Step& step = step_of(part, kFirstOfLines, kLastOfLines);
  return fmt::format("\033[38;5;{}m{}\033[0m", step.colour, text);
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
  for (const auto& [value, text] : results::ticks_of(axis))
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
