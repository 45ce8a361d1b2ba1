#include "results/figures/figure_layout.h"

#include <algorithm>
#include <cmath>

#include "results/figures/figure_kinds.h"
#include "results/figures/figure_style.h"
#include "results/text/escape.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// Widths and heights in pixels, for the font of size 12 and the notes' font of size 10.
constexpr double kLetter = 7, kLine = 18, kNoteLetter = 5.8, kNoteLine = 15;
constexpr double kCellHeight = 24, kBarHeight = 40;
constexpr int kSeen = 400;  // points of a line that can be distinguished

// Characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Breaks at spaces; a word that is too long gets its own line.
void add_wrapped(const std::string& text, std::size_t width, std::vector<std::string>* lines) {
  std::string line;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    if (!line.empty() && length(line) + 1 + length(word) > width) {
      lines->push_back(line);
      line = "  ";
    }
    line += (line.empty() || line == "  " ? "" : " ") + word;
    from = to + 1;
  }
  lines->push_back(line);
}

// Measured as the script writes them.
std::size_t longest_shown(const std::vector<std::string>& texts, int room) {
  std::size_t most = 0;
  for (const std::string& text : texts)
    most = std::max(most, length(shortened(safe_text(text), room)));
  return most;
}

std::size_t columns_for(std::size_t panels) {
  return panels <= 1 ? 1 : panels == 2 || panels == 4 ? 2 : 3;
}

// Rotates the names of x if they do not fit side by side.
void rotate_names(const Figure& figure, double panel_width, Layout* layout) {
  const std::size_t most = longest_shown(figure.x_names, kTickRoom);
  const double room = panel_width / std::max<double>(1, static_cast<double>(figure.x_names.size()));
  layout->rotated = static_cast<double>(most + 1) * kLetter > room;
  if (!layout->rotated) return;
  const auto letters = static_cast<double>(most);
  layout->bottom_lines += std::min(8.0, letters * kLetter * 0.64 / kLine);
  layout->right_letters = std::max(layout->right_letters, letters * 0.77 - room / kLetter / 2);
}

// The names of the rows of cells stand left of them.
void make_room_for_rows(const Figure& figure, Layout* layout) {
  const auto most = static_cast<double>(longest_shown(figure.series, kTickRoom));
  layout->left_letters = std::max(layout->left_letters, most + (figure.series_key.empty() ? 2 : 5));
}

void place_panels(std::size_t count, std::size_t columns, double top, double height,
                  Layout* layout) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto column = static_cast<double>(i % columns), row = static_cast<double>(i / columns);
    const double width = 1 / static_cast<double>(columns);
    layout->panels.push_back({column * width, 1 - (top + (row + 1) * height) / layout->height,
                              width, height / layout->height});
  }
}

// The name of y stands beside its numbers.
void make_room_for_ticks(const Axis& y, Layout* layout) {
  std::size_t longest = 0;
  for (const auto& [value, text] : y.ticks) longest = std::max(longest, length(text));
  layout->left_letters = std::max(layout->left_letters, static_cast<double>(longest) + 5);
}

}  // namespace

std::string shortened(const std::string& text, int room) {
  if (length(text) <= static_cast<std::size_t>(room)) return text;
  std::size_t bytes = 0;
  for (int characters = 0; characters < room - 1; ++characters) do
      ++bytes;
    while (bytes < text.size() && (text[bytes] & 0xC0) == 0x80);
  return text.substr(0, bytes) + "…";
}

bool is_numbered(const Figure& figure) {
  const auto crowded = [](const FigurePanel& panel) {
    std::size_t points = 0;
    for (const FigureSeries& series : panel.series) points += series.points.size();
    return points > kMostNamed;
  };
  return kind_of(figure).over == Over::kMetric && figure.series.size() > kPoints.size() &&
         std::any_of(figure.panels.begin(), figure.panels.end(), crowded);
}

Layout layout_of(const Figure& figure) {
  Layout layout;
  const FigureKind& kind = kind_of(figure);
  const bool bare = kind.y_axis(figure).bare;
  const std::size_t panels = figure.panels.size(), columns = bare ? 1 : columns_for(panels);
  const double panel_width = layout.width / static_cast<double>(columns);
  layout.panel_room = static_cast<int>(panel_width / kLetter);
  const bool has_rows = kind.over == Over::kValues;
  if (has_rows) make_room_for_rows(figure, &layout);
  if (bare) layout.left_letters = 4;
  if (!bare && !has_rows) make_room_for_ticks(kind.y_axis(figure), &layout);
  const double plot_width = panel_width - (layout.left_letters + 2) * kLetter;
  layout.panel_letters = plot_width / kNoteLetter;
  rotate_names(figure, plot_width, &layout);
  const double usual_height = columns == 1 ? 330 : 230;
  const double rows_height = has_rows ? static_cast<double>(figure.series.size()) * kCellHeight : 0;
  const double panel_height =
      std::max(usual_height, rows_height + 4 * kLine) + (layout.bottom_lines - 3.2) * kLine;
  layout.has_key = kind.key != nullptr && figure.series.size() > 1;
  const std::size_t entries =
      (layout.has_key ? figure.series.size() : 0) + (figure.has_published ? 1 : 0);
  const double number = is_numbered(figure) ? 3 : 0;
  const double entry =
      (static_cast<double>(longest_shown(legend_of(figure), kKeyRoom)) + 7 + number) * kLetter;
  layout.key_columns = std::max(1, static_cast<int>(layout.width / entry));
  const double key_rows =
      std::ceil(static_cast<double>(entries) / static_cast<double>(layout.key_columns));
  for (const std::string& note : figure.notes)
    add_wrapped(safe_text(note), static_cast<std::size_t>(layout.width / kNoteLetter),
                &layout.notes);
  const double top = figure.title.empty() ? 4 : 30;
  const double rows = std::ceil(static_cast<double>(panels) / static_cast<double>(columns));
  const double key_height = key_rows * kLine + (kind.colours != nullptr ? kBarHeight : 0) + 8;
  const double notes_height = static_cast<double>(layout.notes.size()) * kNoteLine + 10;
  layout.height = static_cast<int>(top + rows * panel_height + key_height + notes_height);
  place_panels(panels, columns, top, panel_height, &layout);
  layout.key = {0, notes_height / layout.height, 1, key_height / layout.height};
  layout.title_y = 1 - 16.0 / layout.height;
  layout.note_x = 10.0 / layout.width;
  layout.note_step = kNoteLine / layout.height;
  layout.note_y = (notes_height - kNoteLine / 2) / layout.height;
  return layout;
}

std::vector<FigurePoint> thinned(const std::vector<FigurePoint>& points, const Axis& x) {
  if (points.size() <= kSeen) return points;
  std::vector<FigurePoint> out;
  int before = -1;
  for (const FigurePoint& point : points) {
    const double part = x.log ? std::log(point.x / x.low) / std::log(x.high / x.low)
                              : (point.x - x.low) / (x.high - x.low);
    const int place = std::isfinite(part) ? static_cast<int>(part * kSeen) : before;
    if (place != before || &point == &points.back() || !point.signs.empty()) out.push_back(point);
    before = place;
  }
  return out;
}

}  // namespace results
