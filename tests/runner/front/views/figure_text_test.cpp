// Figures on terminals, against golden files (tests/results/golden);
// LCSM_NEW_GOLDEN=1 rewrites them.
#include "runner/front/views/figure_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "runner/base/text/display_width.h"
#include "tests/message_of.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/golden.h"

namespace runner {
namespace {

using results::Figure;

Terminal of_width(int width) { return {true, false, true, width}; }

Figure of_marks(const results::FigureSpec& spec) {
  const results::Scratch scratch;
  results::marked_runs(scratch.path());
  results::fold(scratch.path());
  return results::make_figure(*results::open_for_reading(scratch.path()), results::kTestRoles,
                              spec);
}

Figure over_names() {
  return of_marks({.sweep = "marks",
                   .x = "model.code",
                   .y = "valid.ppl",
                   .series = {"task.name"},
                   .tuned = {"optim.lr"},
                   .by = "valid.ppl"});
}

Figure over_steps() {
  return of_marks({.sweep = "marks", .x = "step", .y = "valid.ppl", .log_x = true, .log_y = true});
}

// Two lines that cross, a published level and a published point.
Figure crossing() {
  Figure figure{.title = "Crossing", .x = "model.d", .y = "test.accuracy"};
  figure.series = {"up", "down"};
  figure.panels = {{"T = 64", {{0, {}, 0.8}, {1, {}, {}}}}};
  for (int i = 0; i <= 4; ++i) {
    const double x = 32 << i, y = 0.25 * i;
    figure.panels[0].series[0].points.push_back({x, y, y, y, 1, "", "", {}});
    figure.panels[0].series[1].points.push_back({x, 1 - y, 1 - y, 1 - y, 1, "", "", {}});
  }
  figure.panels[0].series[1].points[1].published = 0.5;
  figure.log_x = figure.has_published = true;
  return figure;
}

std::string without_colour(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\033')
      at = text.find('m', at);
    else
      out += text[at];
  return out;
}

}  // namespace

TEST(FigureText, FitsOnTheTerminalAsFarAsItCanBeRead) {
  const auto lines = [](const Figure& figure, int height) {
    Terminal terminal = of_width(80);
    terminal.height = height;
    const std::string text = figure_text(figure, terminal);
    return std::count(text.begin(), text.end(), '\n');
  };
  Figure figure = crossing();
  EXPECT_LT(lines(figure, 24), 24);
  EXPECT_EQ(lines(figure, 60), lines(figure, 0));
  EXPECT_GT(lines(figure, 5), 8) << "a plot keeps its least size";
  figure.panels.push_back(figure.panels[0]);
  EXPECT_LT(lines(figure, 40), 40);
}

TEST(FigureText, OverNamesAndOverSteps) {
  results::expect_golden("results", "marks-figure.txt", figure_text(over_names(), of_width(80)));
  results::expect_golden("results", "marks-curves.txt", figure_text(over_steps(), of_width(100)));
  results::expect_golden("results", "crossing.txt", figure_text(crossing(), of_width(60)));
}

TEST(FigureText, OfPairsAndShares) {
  Terminal colour = of_width(80);
  colour.colour = true;
  for (const Figure& figure : results::grid_figures()) {
    if (!is_drawn_as_text(figure.kind)) continue;
    const std::string name = "grid-" + figure.kind;
    results::expect_golden("results", name + ".txt", figure_text(figure, of_width(80)));
    results::expect_golden("results", name + "-ascii.txt", figure_text(figure, {}));
    results::expect_golden("results", name + "-colour.txt", figure_text(figure, colour));
  }
}

TEST(FigureText, MarksAtOnePlaceAreNumberedAndExplained) {
  Figure figure = crossing();
  figure.series.emplace_back("also up");
  figure.panels[0].series.push_back(figure.panels[0].series[0]);
  figure.panels[0].series.back().name = 2;
  figure.panels[0].series.back().published.reset();
  const std::string text = figure_text(figure, of_width(60));
  EXPECT_NE(text.find("① = ●, ▲"), std::string::npos) << text;
  EXPECT_NE(text.find("② = ●, ■, ▲"), std::string::npos) << text;
  const std::string plain = figure_text(figure, {});
  EXPECT_NE(plain.find("1 = o, x"), std::string::npos) << plain;
}

TEST(FigureText, OfWhatOnlyGnuplotDrawsSaysHowToDrawIt) {
  for (const char* kind : {"heatmap", "parallel"}) {
    EXPECT_FALSE(is_drawn_as_text(kind));
    EXPECT_EQ(message_of([&] { figure_text(results::hostile_figure(kind), of_width(80)); }),
              "the kind " + std::string(kind) +
                  " is not drawn with characters: use --out FILE.svg, .png or .pdf, or --format "
                  "csv");
  }
}

TEST(FigureText, InAPipeIsAsciiOfEightyColumns) {
  const std::string text = figure_text(crossing(), {});
  results::expect_golden("results", "crossing-ascii.txt", text);
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < '\x7f')) << text;
}

TEST(FigureText, FitsTheTerminal) {
  std::vector<Figure> figures = results::grid_figures();
  std::erase_if(figures, [](const Figure& figure) { return !is_drawn_as_text(figure.kind); });
  for (const Figure& figure : {over_names(), over_steps(), crossing(), results::hostile_figure()})
    figures.push_back(figure);
  for (const char* kind : {"scatter", "importance"})
    figures.push_back(results::hostile_figure(kind));
  for (const Figure& figure : figures)
    for (const int width : {40, 57, 80, 200}) {
      std::istringstream lines(figure_text(figure, of_width(width)));
      for (std::string line; std::getline(lines, line);) {
        if (line.find(' ') == std::string::npos) continue;  // a wider word is not split
        EXPECT_LE(display_width(line), width) << figure.kind << ": " << line;
      }
    }
}

TEST(FigureText, NamesAreHarmless) {
  for (const char* kind : {"", "scatter", "importance"}) {
    const std::string text = figure_text(results::hostile_figure(kind), of_width(80));
    EXPECT_EQ(text.find('\033'), std::string::npos) << text;
  }
}

TEST(FigureText, ColourChangesNothingElse) {
  Terminal colour = of_width(80);
  colour.colour = true;
  for (const Figure& figure : {over_names(), crossing()}) {
    const std::string text = figure_text(figure, colour);
    EXPECT_NE(text.find("\033[36m"), std::string::npos);
    EXPECT_EQ(without_colour(text), figure_text(figure, of_width(80)));
  }
}

TEST(FigureText, WithoutAnythingToDraw) {
  Figure figure{.title = "", .x = "step", .y = "valid.ppl"};
  figure.panels = {{"", {}}};
  EXPECT_NE(figure_text(figure, of_width(80)).find("valid.ppl"), std::string::npos);
  figure.series = {"one"};
  figure.panels[0].series = {{0, {{10, NAN, NAN, NAN, 0, "m", "", {}}}, {}}};
  EXPECT_EQ(figure_text(figure, of_width(80)).find("●\n"), std::string::npos);
  figure.panels[0].series[0].points[0].y = 3;
  EXPECT_NE(figure_text(figure, of_width(80)).find("●m"), std::string::npos);
}

}  // namespace runner
