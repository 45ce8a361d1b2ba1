// Our output through gnuplot and LaTeX; skipped if they are not installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "results/figures/figure_script.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "results/tables/claim.h"
#include "results/tables/table_formats.h"
#include "runner/base/process/command.h"
#include "runner/front/views/gnuplot.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/fixture.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::Canvas;

results::Figure of_marks_pictures(const results::FigureSpec& spec) {
  const results::Scratch scratch;
  results::marked_runs(scratch.path());
  results::fold(scratch.path());
  return results::make_figure(*results::open_for_reading(scratch.path()), results::kTestRoles,
                              spec);
}

std::string svg_of(const results::Figure& figure) {
  return results::tidy_svg(draw(results::figure_script(figure, Canvas::kSvg)));
}

class Pictures : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!has_gnuplot(&why)) GTEST_SKIP() << why;
  }
};

bool has_latex() {
  const auto has = [](const char* file) {
    return run_command({"kpsewhich", file}, std::chrono::seconds(20)).ok();
  };
  return run_command({"pdflatex", "--version"}, std::chrono::seconds(20)).ok() &&
         has("booktabs.sty");
}

// "" if pdflatex compiles the table in `folder`, otherwise its message.
std::string compiled(const results::Table& table, const fs::path& folder) {
  results::write_text(folder / "t.tex",
                      "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}"
                      "\\usepackage[utf8]{inputenc}\\begin{document}\n" +
                          results::table_tex(table) + "\n\n" + results::table_tex(table, true) +
                          "\\end{document}\n");
  const CommandResult ran = run_command(
      {"pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode",
       "-output-directory=" + folder.string(), (folder / "t.tex").string()},
      std::chrono::seconds(120), {"TEXMFVAR=" + folder.string(), "HOME=" + folder.string()});
  return ran.ok() ? "" : ran.out + ran.err;
}

}  // namespace

TEST_F(Pictures, AreTheSameBytesEachTime) {
  const results::Figure figure = of_marks_pictures(
      {.sweep = "marks", .x = "step", .y = "valid.ppl", .log_x = true, .log_y = true});
  const std::string once = svg_of(figure);
  EXPECT_EQ(once, svg_of(figure));
  EXPECT_EQ(once.find("GNUPLOT"), std::string::npos);
  const std::string png = draw(results::figure_script(figure, Canvas::kPng));
  EXPECT_TRUE(png.starts_with("\x89PNG"));
  EXPECT_EQ(png, draw(results::figure_script(figure, Canvas::kPng)));
  const auto pdf_of = [&] {
    return results::tidy_pdf(draw(results::figure_script(figure, Canvas::kPdf)));
  };
  const std::string pdf = pdf_of();
  EXPECT_TRUE(pdf.starts_with("%PDF"));
  const std::time_t drawn = std::time(nullptr);
  EXPECT_TRUE(
      comes_true([drawn] { return std::time(nullptr) != drawn; }));  // its time is in seconds
  EXPECT_EQ(pdf, pdf_of());
}

TEST_F(Pictures, ShowEverySeriesMarkAndNote) {
  const std::string svg = svg_of(of_marks_pictures(
      {.sweep = "marks", .x = "step", .y = "valid.ppl", .series = {"model.code"}}));
  for (const char* part : {"1-11-1-0", "A title", ">b,s,x<", "band: from the lowest", ">paper<"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST_F(Pictures, OfHostileNamesAreHarmless) {
  const std::string there = fs::current_path().string();
  for (const Canvas canvas : {Canvas::kSvg, Canvas::kPng, Canvas::kInline}) {
    const std::string drawn = draw(results::figure_script(results::hostile_figure(), canvas));
    EXPECT_EQ(drawn.find("<script"), std::string::npos);
    EXPECT_EQ(drawn.find('\x1b') != std::string::npos && canvas != Canvas::kPng, false);
    EXPECT_FALSE(fs::exists(fs::path(there) / "x"));
  }
  for (const char* kind : {"heatmap", "scatter", "parallel", "importance"}) {
    const std::string drawn =
        draw(results::figure_script(results::hostile_figure(kind), Canvas::kInline));
    EXPECT_NE(drawn.find("touch x"), std::string::npos) << kind;
    EXPECT_EQ(drawn.find("<script"), std::string::npos) << kind;
    EXPECT_FALSE(fs::exists(fs::path(there) / "x")) << kind;
  }
  const std::string svg = svg_of(results::hostile_figure());
  EXPECT_EQ(results::page_svg(svg, 1).find("<script"), std::string::npos);
  EXPECT_NE(svg.find("''it's''\\x1b[2J `touch x` \"$(touch x)\""), std::string::npos);
}

TEST_F(Pictures, OfEveryKindShowTheirNumbersAndNames) {
  const std::vector<results::Figure> figures = results::grid_figures();
  const std::vector<std::vector<const char*>> parts = {{">31.00<", ">128<", ">valid.ppl<"},
                                                       {">d = 128<", ">1-9-1-0<", ">test.ppl<"},
                                                       {">0.003<", ">optim.lr<", ">25.5<"},
                                                       {">interactions<", ">0.606<"}};
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const std::string svg = svg_of(figures[i]);
    for (const char* part : parts[i])
      EXPECT_NE(svg.find(part), std::string::npos) << figures[i].kind << " " << part;
    const std::string pdf = draw(results::figure_script(figures[i], Canvas::kPdf));
    EXPECT_TRUE(pdf.starts_with("%PDF")) << figures[i].kind;
  }
}

TEST_F(Pictures, OfNoDataAreDrawnToo) {
  for (const results::FigureKind& kind : results::kFigureKinds) {
    results::Figure figure{.title = "t", .x = "x", .y = "y"};
    figure.kind = kind.name;
    if (kind.over == results::Over::kNames) figure.x_names = {"a"};
    figure.panels = {{"", {}}};
    EXPECT_NE(svg_of(figure).find("<svg"), std::string::npos) << kind.name;
  }
}

TEST_F(Pictures, OfABadScriptAreAnErrorWithGnuplotsMessage) {
  EXPECT_THROW(draw("plot nonsense("), std::runtime_error);
}

TEST(Latex, CompilesTheTableWithEveryMark) {
  if (!has_latex()) GTEST_SKIP() << "pdflatex with booktabs is not on PATH";
  const results::Scratch scratch;
  results::marked_runs(scratch.path());
  results::fold(scratch.path());
  const auto database = results::open_for_reading(scratch.path());
  results::Table table = results::make_table(*database, results::kTestRoles,
                                             {.sweep = "marks", .rows = {"model.code"}});
  table.claims = results::judge_claims({results::compare_claim(
      *database, results::kTestRoles,
      {.sweep = "marks", .text = "1-1-1-0 is best of model.code in valid.ppl"})});
  EXPECT_EQ(compiled(table, scratch.path()), "");
}

TEST(Latex, CompilesHostileNames) {
  if (!has_latex()) GTEST_SKIP() << "pdflatex with booktabs is not on PATH";
  const results::Scratch scratch;
  const std::string bad = "\\input{/etc/passwd}\\write18{touch x} $x_1^2$ # % & ~ \\ { \" < > | \n";
  results::Table table;
  table.title = bad;
  table.row_keys = {bad};
  table.rows = {{bad}};
  table.columns = {{{}, bad, true, true, 2, false}};
  results::TableCell cell;
  cell.statistics = results::statistics_of({1, 2});
  table.cells = {{cell}};
  table.notes = {{.parts = {{"", bad}}}, {.parts = {{"*", bad}}}};
  EXPECT_EQ(compiled(table, scratch.path()), "");
}

}  // namespace runner
