// Pictures of the panel at all sizes, against golden files; LCSM_NEW_GOLDEN=1 rewrites them.
#include "runner/front/panel/view.h"

#include <gtest/gtest.h>

#include "results/tables/statistics.h"
#include "results/tables/table_steps.h"
#include "runner/base/text/display_width.h"
#include "runner/front/panel/rows.h"
#include "tests/results/fixture.h"
#include "tests/results/golden.h"

namespace runner {
namespace {

using results::RunState;
using Lines = std::vector<std::string>;

Terminal plain(int width) { return {true, false, true, width}; }

std::string page(const Lines& lines) {
  std::string text;
  for (std::string line : lines) text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  return text;
}

// The first lines of a partly filled table.
results::Table small_table() {
  results::Table table;
  table.title = "Values remembered";
  table.row_keys = {"model.code"};
  table.columns = {{{}, "valid.accuracy", false, true, 4, false},
                   {{}, "test.accuracy", false, true, 4, false}};
  for (const char* code : {"1-3-1-2", "1-3-1-2@gate=frozen", "1-10-1-2"}) {
    table.rows.push_back({code});
    table.cells.emplace_back(2);
    for (auto& cell : table.cells.back()) cell.statistics = results::statistics_of({0.5, 0.75});
  }
  return table;
}

void run_further(PanelRun& run, std::int64_t step) {
  run.state = RunState::kRunning;
  run.progress.step = step;
  run.progress.loss = 0.5 / static_cast<double>(step);
  run.progress.steps_per_second = 25;
}

// `count` runs in all states.
PanelModel some_runs(int count) {
  PanelModel model;
  model.sweep = model.called = "quickstart";
  model.scale = "paper";
  model.title = "Does the gate need training?";
  model.axes = {"model.code", "seed"};
  model.metric = "valid.accuracy";
  model.jobs = 2;
  model.seconds = 75;
  model.eta_seconds = 240;
  for (int i = 0; i < count; ++i) {
    const std::string code = i % 2 == 0 ? "1-3-1-2" : "1-3-1-2@gate=frozen";
    model.runs.push_back({results::run_id(i + 1), {code, std::to_string(i)}});
    PanelRun& run = model.runs.back();
    run.id[0] = static_cast<char>('a' + i % 6);
    run.steps = 2500;
    run.seconds = 100;
    if (i < 2) run_further(run, 1000 + 7 * i);
    if (i == 2 || i == 3) run.state = RunState::kDone;
    if (i < 4) run.value = 0.5 + 0.1 * i;
    if (i == 4) run.state = RunState::kDiverged, run.why = "diverged: the loss is NaN";
    if (i == 5) run.state = RunState::kCancelled, run.why = "cancelled";
    if (i == 6) run.state = RunState::kInterrupted, run.progress.saved = 400;
  }
  model.runs[1].silent_seconds = 130;
  model.table = small_table();
  model.message = "[3/9] e0000000  model.code = 1-3-1-2, seed = 4  diverged: exit status 6";
  return model;
}

// Names must not control the terminal.
PanelModel hostile_runs() {
  PanelModel model = some_runs(7);
  const std::string evil =
      "\033[2J\033]0;owned\007\r\n\xc2\x9b"
      "31m\xff\xe2\x80\xae"
      "txt";
  model.title = "title " + evil;
  model.runs[0].at[0] = "name " + evil;
  model.runs[4].why = "why " + evil;
  model.message = "said " + evil;
  model.table->rows[0][0] = "row " + evil;
  model.runs[0].progress.said = evil;
  model.runs[0].progress.metrics[evil].add(1, 0.5);
  return model;
}

bool controls_nothing(const std::string& line) {
  for (const char c : line)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  return line.find("\xc2\x9b") == std::string::npos && line.find('\xff') == std::string::npos &&
         line.find("\xe2\x80\xae") == std::string::npos;
}

}  // namespace

TEST(PanelView, FillsATerminalOf80By24) {
  results::expect_golden("runner", "panel-80x24.txt",
                         page(panel_lines(some_runs(9), {}, plain(80), 24)));
}

TEST(PanelView, NamesWhatASmallTerminalHides) {
  results::expect_golden("runner", "panel-60x15.txt",
                         page(panel_lines(some_runs(9), {}, plain(60), 15)));
  results::expect_golden("runner", "panel-30x6.txt",
                         page(panel_lines(some_runs(9), {}, plain(30), 6)));
}

TEST(PanelView, ShowsAllOnALargeOne) {
  results::expect_golden("runner", "panel-200x50.txt",
                         page(panel_lines(some_runs(30), {}, plain(200), 50)));
}

TEST(PanelView, SaysWhatTheMarksOfItsTableMean) {
  PanelModel model = some_runs(9);
  model.table->cells[0][0].marks = {results::Mark::kDiverged, results::Mark::kRunning};
  results::add_notes(&*model.table);
  const std::string shown = page(panel_lines(model, {}, plain(80), 26));
  EXPECT_NE(shown.find("d a run diverged; r a run has not ended\n"), std::string::npos) << shown;
  const std::string small = page(panel_lines(model, {}, plain(80), 24));
  EXPECT_EQ(small.find("a run diverged"), std::string::npos) << "rows before notes:\n" << small;
}

TEST(PanelView, ShowsLongNamesAsFarAsTheyGo) {
  PanelModel model = some_runs(9);
  model.runs[0].at[0] = std::string(300, 'x');
  model.runs[4].why = std::string(300, 'y');
  PanelView view;
  view.selected = 6;
  results::expect_golden("runner", "panel-long-80x24.txt",
                         page(panel_lines(model, view, plain(80), 24)));
}

TEST(PanelView, IsAsciiWithoutUnicode) {
  PanelModel model = some_runs(9);
  model.runs[0].at[0] = "\u03c4=\u00bd";
  Terminal terminal = plain(80);
  terminal.unicode = false;
  results::expect_golden("runner", "panel-ascii-80x24.txt",
                         page(panel_lines(model, {}, terminal, 24)));
}

TEST(PanelView, ShowsOneRun) {
  PanelModel model = some_runs(9);
  model.runs[0].progress.said = "a torn last line of 7 bytes was cut";
  model.runs[0].progress.metrics["valid.accuracy"].add(500, 0.25);
  model.runs[0].progress.metrics["valid.accuracy"].add(1000, 0.5);
  PanelView view;
  view.page = PanelView::Page::kDetail;
  view.selected = 0;
  results::expect_golden("runner", "panel-detail-80x24.txt",
                         page(panel_lines(model, view, plain(80), 24)));
  view.page = PanelView::Page::kLog;
  for (int i = 0; i < 40; ++i) view.log.push_back("line " + std::to_string(i));
  results::expect_golden("runner", "panel-log-80x15.txt",
                         page(panel_lines(model, view, plain(80), 15)));
}

TEST(PanelView, LetsNoTextControlTheTerminal) {
  results::expect_golden("runner", "panel-hostile-80x24.txt",
                         page(panel_lines(hostile_runs(), {}, plain(80), 24)));
  PanelView view;
  view.selected = 0;
  view.log = {"\033[31mred\033]0;x\007"};
  for (const auto page : {PanelView::Page::kRuns, PanelView::Page::kDetail, PanelView::Page::kLog})
    for (const bool unicode : {false, true}) {
      view.page = page;
      Terminal terminal = plain(100);
      terminal.unicode = unicode;
      for (const std::string& line : panel_lines(hostile_runs(), view, terminal, 30))
        EXPECT_TRUE(controls_nothing(line)) << line;
    }
}

TEST(PanelView, KeepsWithinEverySize) {
  for (const int runs : {1, 7, 40})
    for (int width = 1; width < 130; width += 7)
      for (int height = 1; height < 40; ++height) {
        PanelModel model = some_runs(9);
        model.runs.resize(static_cast<std::size_t>(std::min(runs, 9)), {});
        PanelView view;
        view.selected = 0;
        for (const auto page : {PanelView::Page::kRuns, PanelView::Page::kDetail}) {
          view.page = page;
          const Lines lines = panel_lines(model, view, plain(width), height);
          EXPECT_LE(std::ssize(lines), height);
          for (const std::string& line : lines)
            EXPECT_LE(display_width(line), width) << width << "x" << height << ": " << line;
        }
      }
}

TEST(PanelView, ColoursOnlyWhereThereIsColour) {
  Terminal terminal = plain(80);
  terminal.colour = true;
  const std::string coloured = page(panel_lines(some_runs(9), {}, terminal, 24));
  EXPECT_NE(coloured.find("\033[31m"), std::string::npos) << "what failed is red";
  terminal.colour = false;
  EXPECT_EQ(page(panel_lines(some_runs(9), {}, terminal, 24)).find('\033'), std::string::npos);
}

}  // namespace runner
