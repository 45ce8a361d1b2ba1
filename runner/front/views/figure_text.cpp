#include "runner/front/views/figure_text.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "results/figures/figure_kinds.h"
#include "results/text/escape.h"
#include "runner/base/text/display_width.h"
#include "runner/base/text/wrap.h"
#include "runner/front/views/figure_panel.h"

namespace runner {
namespace {

using results::Figure;
using results::FigureKind;
using results::FigurePanel;
using results::FigureSeries;

constexpr int kUsualWidth = 80, kNarrowest = 40;

struct TextRow {
  std::string_view name;  // as in results/figures/figure_kinds.h
  std::string (*text)(const PanelText& panel);
};

// Only gnuplot draws the other kinds.
constexpr std::array kTextRows = {
    TextRow{"lines", lines_text},
    TextRow{"dots", dots_text},
    TextRow{"scatter", pairs_text},
    TextRow{"importance", bars_text},
};
static_assert(std::ranges::all_of(kTextRows, [](const TextRow& row) {
  return std::ranges::any_of(results::kFigureKinds,
                             [&](const FigureKind& kind) { return kind.name == row.name; });
}));

// ----- Around the panels -----

// Entries, side by side as far as they fit.
class Key {
 public:
  explicit Key(int width) : width_(width) {}

  void add(const std::string& entry) {
    const int size = display_width(entry);
    if (column_ > 0 && column_ + 3 + size > width_) {
      text_ += "\n";
      column_ = 0;
    }
    text_ += (column_ > 0 ? "   " : "") + entry;
    column_ += (column_ > 0 ? 3 : 0) + size;
  }
  std::string text() && { return text_.empty() ? "" : std::move(text_) + "\n"; }

 private:
  int width_, column_ = 0;
  std::string text_;
};

// "① = ●, ■"; many marks in several entries.
void add_joined(const std::string& sign, const std::vector<CanvasMark>& marks,
                const Terminal& terminal, Key* key) {
  constexpr std::size_t kTogether = 8;
  std::string entry = sign + " =" + (marks.empty() ? " other marks" : "");
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (i > 0) entry += ",";
    if (i > 0 && i % kTogether == 0) key->add(std::exchange(entry, ""));
    entry += (entry.empty() ? "" : " ") + in_colour_of(marks[i].series, terminal, marks[i].sign);
  }
  key->add(entry);
}

std::string key(const Figure& figure, const FigureKind& kind, const JoinedMarks& joined,
                const Terminal& terminal, int width) {
  Key key(width);
  const auto one = [&](const std::string& sign, const std::string& name, std::size_t series) {
    key.add(in_colour_of(series, terminal, sign) + " " + name);
  };
  const std::vector<std::string> names = legend_of(figure);
  if (kind.key != nullptr && (names.size() > 1 || (names.size() == 1 && !names[0].empty())))
    for (std::size_t i = 0; i < names.size(); ++i)
      one(sign_of(i, terminal), name_text(names[i], width - 2, terminal), i);
  bool levels = false;
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series) levels = levels || series.published;
  if (figure.has_published) {
    const bool lines = levels && figure.x_names.empty();
    one(terminal.unicode ? (lines ? "╌" : "×") : (lines ? "-" : "P"), "paper", 4);
  }
  for (std::size_t i = 0; i < joined.sets().size(); ++i)
    add_joined(JoinedMarks::sign(i, terminal), joined.sets()[i], terminal, &key);
  return std::move(key).text();
}

}  // namespace

bool is_drawn_as_text(std::string_view kind) {
  return kind.empty() || lcsm::row_named(kTextRows, kind) != nullptr;  // empty: lines or dots
}

std::string figure_text(const Figure& figure, const Terminal& terminal) {
  const int width = terminal.width > 0 ? std::max(kNarrowest, terminal.width) : kUsualWidth;
  const FigureKind& kind = results::kind_of(figure);
  const TextRow* const row = lcsm::row_named(kTextRows, kind.name);
  if (row == nullptr)
    throw std::invalid_argument("the kind " + std::string(kind.name) +
                                " is not drawn with characters: use --out FILE.svg, .png or .pdf, "
                                "or --format csv");
  JoinedMarks joined;
  std::string out;
  if (!figure.title.empty())
    out += styled(terminal, Style::kBold, name_text(figure.title, width, terminal)) + "\n\n";
  for (const FigurePanel& panel : figure.panels) {
    if (!panel.title.empty()) out += name_text(panel.title, width, terminal) + "\n";
    out += row->text({figure, panel, terminal, width, &joined}) + "\n";
  }
  out += key(figure, kind, joined, terminal, width);
  for (const std::string& note : figure.notes)
    if (kind.over == results::Over::kNames || !note.starts_with("band: "))  // only these show it
      wrap_onto(out, results::safe_text(note), 0, width);
  return out;
}

}  // namespace runner
