// The page of a sweep: report.cpp, report_data.cpp, report_style.cpp.
#include "results/report/report.h"

#include <gtest/gtest.h>

#include "results/events/event_writer.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/fixture.h"
#include "tests/results/golden.h"

namespace results {
namespace {

// A failed run, three of a code with two program versions, and one of another width and budget.
Report of_marks_report() {
  const Scratch scratch;
  marked_runs(scratch.path());
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  const std::set<std::string> some = {run_id(172), run_id(221), run_id(222), run_id(223),
                                      run_id(241)};
  Report report{.sweep = "marks", .title = "Every mark", .question = "Which gate?"};
  report.tables = {
      make_table(*database, kTestRoles,
                 {.sweep = "marks", .rows = {"model.code"}, .where = {{"model.code", "1-9-1-0"}}})};
  report.figures = {{make_figure(*database, kTestRoles,
                                 {.sweep = "marks",
                                  .x = "step",
                                  .y = "valid.ppl",
                                  .series = {"model.code", "optim.steps"},
                                  .where = {{"model.code", "1-10-1-0"}}}),
                     "<svg/>"}};
  report.claims = judge_claims({compare_claim(*database, kTestRoles,
                                              {.sweep = "marks",
                                               .text = "1-1-1-0 is best of model.code in valid.ppl",
                                               .paper = "the gate from k and d is the best"})});
  report.setup = report_setup(*database, "marks", some);
  report.runs = report_runs(*database, kTestRoles, "marks", some);
  report.environments = report_environments(*database, "marks", some);
  report.published = report_published(*database, "lcsm/table4-o-types");
  report.published.rows.resize(3);
  return report;
}

std::size_t count_of_report(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(Report, OfAWorkspaceWithEveryMark) {
  std::string page = report_html(of_marks_report());
  const std::size_t style = page.find("<style>\n") + 8;
  page.erase(style, page.find("</style>") - style);
  expect_golden("results", "marks-report.html", page);
}

TEST(Report, ListsRunsAndFactsOfThePointsOnly) {
  const Scratch scratch;
  const std::filesystem::path folder = write_run(scratch.path(), {.number = 1, .sweep = "s"});
  write_run(scratch.path(), {.number = 2, .sweep = "s", .commit = "beef"});
  {
    EventWriter events(folder);
    events.append(AttemptLine{0, 0, {{"pid", std::int64_t{7}}, {"cpu", "fast"}}});
  }
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  EXPECT_EQ(report_runs(*database, kTestRoles, "s", {}).rows.size(), 2u);
  EXPECT_EQ(report_runs(*database, kTestRoles, "s", {run_id(1)}).rows.size(), 1u);
  std::string facts;
  for (const auto& row : report_environments(*database, "s", {run_id(1)}).rows)
    facts += cell_text(row[0]) + "=" + cell_text(row[1]) + " ";
  EXPECT_EQ(facts, "commit=c0ffee cpu=fast host=here ");
}

TEST(Report, SetupHasTheValuesOfThePoints) {
  const Scratch scratch;
  for (int number = 1; number <= 15; ++number)
    write_run(scratch.path(), {.number = number, .sweep = "s", .seed = number});
  write_run(scratch.path(), {.number = 16, .code = "1-0-1-0", .sweep = "s"});
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  std::set<std::string> some;
  for (int number = 1; number <= 15; ++number) some.insert(run_id(number));
  std::map<std::string, std::string> setup;
  for (const auto& row : report_setup(*database, "s", some).rows)
    setup[cell_text(row[0])] = cell_text(row[1]);
  EXPECT_EQ(setup.at("seed"), "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 3 more");
  EXPECT_EQ(setup.at("model.code"), FixtureRun().code);
}

TEST(Report, SetupHasTheSizeAndTheTrainingOfEachRow) {
  const Scratch scratch;
  int number = 0;
  for (const double params : {1000, 2500})
    for (const int seed : {1, 2})
      write_run(scratch.path(), {.number = ++number,
                                 .code = params == 1000 ? "1-0-1-0" : "1-9-1-0",
                                 .seed = seed,
                                 .valid = {24, seed + 20.0},
                                 .params = params,
                                 .state = 64});
  write_run(
      scratch.path(),
      {.number = ++number, .code = "1-9-1-0", .seed = 3, .valid = {24, 23}, .status = "failed"});
  fold(scratch.path());
  const auto database = open_for_reading(scratch.path());
  Roles roles = kTestRoles;
  roles.trained = [](std::int64_t steps, const Parameters& run) {
    return std::to_string(steps) + " steps of " + run.at("task.name");
  };
  Report report;
  report.tables = {make_table(*database, roles, {.rows = {"model.code"}, .values = {"valid.ppl"}})};
  report.sizes = {report_sizes(*database, roles, report.tables[0])};
  EXPECT_EQ(csv_of(report.sizes[0]),
            "model.code,parameters,state,\"trained on, at most\"\n"
            "1-0-1-0,1000,64,200 steps of mqar\n1-9-1-0,2500,64,200 steps of mqar\n");
  report.setup = report_setup(*database, "", {});
  report.sizes.push_back(report.sizes[0]);
  const std::string page = report_html(report);
  EXPECT_EQ(count_of_report(page, "state: 64, trained on, at most: 200 steps of mqar</p>"), 1u);
  EXPECT_EQ(count_of_report(page, "<td>2500</td>"), 1u);
  EXPECT_EQ(count_of_report(page, "has 150 % more parameters than the smallest"), 1u);
}

TEST(Report, IsSelfContained) {
  const std::string page = report_html(of_marks_report());
  for (const char* part : {"http:", "https:", "src=", "href=", "@import", "<script", "url("})
    EXPECT_EQ(count_of_report(page, part), 0u) << part;
  EXPECT_EQ(count_of_report(page, "default-src 'none'"), 1u);
}

TEST(Report, HasAllItsSections) {
  const std::string page = report_html(of_marks_report());
  for (const char* id :
       {"claims", "tables", "figures", "marks", "setup", "paper", "runs", "environments"})
    EXPECT_EQ(count_of_report(page, "<section id=\"" + std::string(id) + "\">"), 1u) << id;
  for (const MarkRow& row : kMarks)  // the marks of its tables
    EXPECT_EQ(count_of_report(page, "<dd>" + std::string(row.meaning)),
              row.mark == Mark::kVersions ? 1u : 0u)
        << row.meaning;
  EXPECT_EQ(count_of_report(page, "prefers-color-scheme: dark"), 1u);
  EXPECT_EQ(count_of_report(page, "name=\"viewport\""), 1u);
}

TEST(Report, JoinsTheLinesOfAQuestion) {
  Report report = of_marks_report();
  report.question = "Which gate?\nAnd why?";
  EXPECT_EQ(count_of_report(report_html(report), ">Which gate? And why?</p>"), 1u);
}

TEST(Report, KeepsCodesInAQuestionOnOneLine) {
  Report report = of_marks_report();
  report.question = "Is 1-3-1-2 - or <a-b> - enough?";
  EXPECT_EQ(count_of_report(
                report_html(report),
                ">Is <span class=\"whole\">1-3-1-2</span> - or <span class=\"whole\">&lt;a-b&gt;"
                "</span> - enough?</p>"),
            1u);
}

TEST(Report, WithoutPicturesShowsTheNumbersAndWhy) {
  Report report = of_marks_report();
  report.figures[0].svg.clear();
  report.no_pictures = "no gnuplot <here>";
  const std::string page = report_html(report);
  EXPECT_EQ(count_of_report(page, "No picture: no gnuplot &lt;here&gt;"), 1u);
  EXPECT_EQ(count_of_report(page, "<svg"), 0u);
}

TEST(Report, NamesAreText) {
  const std::string bad = "<script>alert(1)</script>\x1b[2J\"'&";
  Report report{.sweep = bad, .title = bad, .question = bad, .no_pictures = bad};
  report.claims = {{bad, bad, bad, Verdict::kUndecided, bad, 0, 0, 0, 0, 0, {}, bad, bad, ""}};
  report.figures = {{hostile_figure(), ""}};
  report.runs = report.environments = report.published = {{bad}, {{bad}}};
  const std::string page = report_html(report);
  EXPECT_EQ(count_of_report(page, "<script"), 0u);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
}

}  // namespace results
