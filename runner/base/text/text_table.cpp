#include "runner/base/text/text_table.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/wrap.h"

namespace runner {
namespace {

constexpr int kGap = 2;

// The width of each column that is shown; columns from `widths.size()` on are left out.
struct Layout {
  std::vector<int> widths;
  std::vector<std::size_t> shortened;
};

int total(const std::vector<int>& widths) {
  int sum = 0;
  for (const int width : widths) sum += width + kGap;
  return widths.empty() ? 0 : sum - kGap;
}

// Shrinks the widest column that may still shrink until all fit; false if that is not enough.
bool shorten(const std::vector<Column>& columns, int room, std::vector<int>& widths) {
  while (total(widths) > room) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (columns[i].least == 0 || widths[i] <= columns[i].least) continue;
      if (widest == widths.size() || widths[i] > widths[widest]) widest = i;
    }
    if (widest == widths.size()) return false;
    --widths[widest];
  }
  return true;
}

Layout fit(const std::vector<Column>& columns, const std::vector<int>& full, int room) {
  std::vector<int> widths = full;
  if (room > 0) {
    for (std::size_t shown = full.size(); shown > 0; --shown) {
      widths.assign(full.begin(), full.begin() + static_cast<std::ptrdiff_t>(shown));
      if (shorten(columns, room, widths) || shown == 1) break;
    }
    if (widths.size() == 1) widths[0] = std::min(widths[0], room);
  }
  Layout layout{.widths = widths, .shortened = {}};
  for (std::size_t i = 0; i < widths.size(); ++i)
    if (widths[i] < full[i]) layout.shortened.push_back(i);
  return layout;
}

std::string line(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                 const Layout& layout, std::string_view ellipsis) {
  std::string text;
  for (std::size_t i = 0; i < layout.widths.size(); ++i) {
    const std::string cell = cut_to_width(cells[i], layout.widths[i], ellipsis);
    const std::string blanks(static_cast<std::size_t>(layout.widths[i] - display_width(cell)), ' ');
    if (i > 0) text.append(kGap, ' ');
    text += columns[i].align == Align::kRight ? blanks + cell : cell + blanks;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string rule(const Layout& layout) {
  std::string text;
  for (const int width : layout.widths) {
    if (!text.empty()) text.append(kGap, ' ');
    for (int i = 0; i < width; ++i) text += "─";
  }
  return text + "\n";
}

// Names the columns that were shortened or left out.
std::string note(const std::vector<Column>& columns, const Layout& layout) {
  const auto shown = static_cast<std::ptrdiff_t>(layout.widths.size());
  const std::string hidden =
      lcsm::joined_of(std::span(columns.begin() + shown, columns.end()), &Column::header);
  const std::string shortened =
      lcsm::joined_of(layout.shortened, [&](std::size_t i) { return columns[i].header; });
  if (shortened.empty() && hidden.empty()) return "";
  std::string text = "(";
  if (!hidden.empty()) text += "not shown: " + hidden;
  if (!shortened.empty()) text += (hidden.empty() ? "shortened: " : "; shortened: ") + shortened;
  return text + "; a wider terminal or a pipe shows all)";
}

}  // namespace

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != columns_.size())
    throw std::invalid_argument("[runner::TextTable] expected " + std::to_string(columns_.size()) +
                                " cells, got " + std::to_string(cells.size()));
  rows_.push_back(std::move(cells));
}

std::string TextTable::text(const Terminal& terminal) const {
  std::vector<int> full;
  std::vector<std::string> headers;
  for (const Column& column : columns_) {
    int width = display_width(column.header);
    for (const auto& row : rows_) width = std::max(width, display_width(row[full.size()]));
    full.push_back(width);
    headers.push_back(column.header);
  }
  const Layout layout = fit(columns_, full, terminal.width);
  const auto shown = [&](const auto& cells) {
    return line(cells, columns_, layout, terminal.ellipsis());
  };
  std::string text = styled(terminal, Style::kBold, shown(headers)) + "\n";
  if (terminal.unicode) text += rule(layout);
  for (const auto& row : rows_) text += shown(row) + "\n";
  const std::string left_out = note(columns_, layout);
  if (left_out.empty()) return text;
  std::string lines;
  wrap_onto(lines, left_out, 0, terminal.width, LongWords::kCut);
  lines.pop_back();
  return text + styled(terminal, Style::kDim, lines) + "\n";
}

}  // namespace runner
