// Checks which runs a table of a sweep shows: its points, trained or not.
#include "runner/front/views/scope.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/events/run_folder.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "runner/config/run/run_id.h"
#include "runner/config/run/run_line.h"
#include "tests/results/fixture.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace runner {
namespace {

const std::string kText =
    "base.task.name = 'mqar'\nbase.optim.steps = 100\ngrid.model.code = ['1-1-1-0', '1-9-1-0']\n"
    "grid.seed = [1, 2]\n[scale.laptop]\nbase.optim.steps = 10\n";

std::set<std::string> ids_of(const SweepRequest& request, std::size_t count) {
  std::set<std::string> ids;
  for (const RunConfig& run : expanded(sweep_of(kText), request).runs)
    if (ids.size() < count) ids.insert(run_id(run));
  return ids;
}

std::set<std::string> planned_ids(const Scope& scope) {
  std::set<std::string> ids;
  for (const results::NamedRun& run : scope.planned) ids.insert(run.id);
  return ids;
}

// A workspace with a sweep's file and some of its runs.
class SweepScope : public testing::Test {
 protected:
  void SetUp() override {
    file = (workspace.path() / "my.toml").string();
    results::write_text(file, kText);
  }
  void have(const RunConfig& run) {
    const std::string id = write_measured(workspace.path(), run, {});
    results::write_mark(results::run_folder(workspace.path(), id), {"my", "", ""});
  }
  Ran table(Words words) const {
    words.insert(words.begin(), {"table", file});
    words.insert(words.end(), {"--values", "valid.accuracy", "--format", "csv", "--workspace",
                               workspace.path().string()});
    return run_lcsm(words);
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  }

  results::Scratch workspace;
  std::string file;
};

}  // namespace

TEST_F(SweepScope, WithoutARequestIsTheScaleThatMostRunsAreOf) {
  const SweepFile sweep = sweep_of(kText);
  const std::set<std::string> paper = ids_of({}, 4), laptop = ids_of({.scale = "laptop"}, 4);
  std::set<std::string> there = ids_of({.scale = "laptop"}, 3);
  const Scope scope = scope_of(sweep, {.scale = ""}, {there, there});
  EXPECT_EQ(scope.only, laptop);
  EXPECT_EQ(scope.left_out, 0u);
  ASSERT_EQ(scope.planned.size(), 2u) << "the one that is missing, and one that is there";
  for (const std::string& id : planned_ids(scope)) EXPECT_TRUE(laptop.contains(id));
  there = laptop;
  EXPECT_EQ(scope_of(sweep, {.scale = ""}, {there, there}).planned.size(), 1u);
  there = {*paper.begin()};
  for (const std::string& id : planned_ids(scope_of(sweep, {.scale = ""}, {there, there})))
    EXPECT_TRUE(paper.contains(id));
}

// Runs of an earlier version of the file, or by --set, would change the means of its present
// points.
TEST_F(SweepScope, WithoutARequestLeavesOutFormerPoints) {
  std::set<std::string> there = ids_of({}, 4), edited = ids_of({.settings = {"optim.lr=1e-2"}}, 3);
  there.insert(edited.begin(), edited.end());
  const Scope scope = scope_of(sweep_of(kText), {.scale = ""}, {there, there});
  EXPECT_EQ(scope.only, ids_of({}, 4));
  EXPECT_EQ(scope.scale, "paper");
  EXPECT_EQ(scope.left_out, 3u);
}

TEST_F(SweepScope, OfNoPointsThatWereRunHasNothingMissing) {
  const std::set<std::string> former = {std::string(32, 'a')};
  EXPECT_TRUE(scope_of(sweep_of(kText), {.scale = ""}, {former, former}).planned.empty());
}

TEST_F(SweepScope, OfASweepWithoutRunsIsThePaperScale) {
  const Scope scope = scope_of(sweep_of(kText), {.scale = ""}, {});
  EXPECT_EQ(scope.only, ids_of({}, 4));
  EXPECT_EQ(scope.planned.size(), scope.only.size());
}

// A new sweep whose runs already exist.
TEST_F(SweepScope, OfANewSweepHasTheRunsThatAnotherTrained) {
  for (const RunConfig& run : expanded(sweep_of(kText), {.scale = "laptop"}).runs) have(run);
  results::write_text(workspace.path() / "new.toml", "title = 'New'\n" + kText);
  const auto said = [&](Words words) {
    for (std::string& word : words)
      if (word == "new.toml") word = (workspace.path() / word).string();
    words.insert(words.end(), {"--workspace", workspace.path().string()});
    const Ran ran = run_lcsm(words);
    EXPECT_EQ(ran.err,
              "scale laptop of new shown: other sweeps trained its points; select another with "
              "--scale\n");
    return ran.out;
  };
  const std::string table = said({"table", "new.toml", "--values", "optim.steps"});
  EXPECT_EQ(table.substr(0, 4), "New\n") << table;
  EXPECT_EQ(count(table, "10"), 2u) << table;
  EXPECT_EQ(count(table, " m"), 0u) << table;
  EXPECT_EQ(count(said({"export", "--sweep", "new.toml"}), ",done,"), 4u);
  EXPECT_EQ(count(said({"report", "new.toml"}), ">done<"), 4u);
}

// A gate is identified by its formula: its runs have the gate's present name in the file, even if
// an earlier file gave that name to another gate.
TEST_F(SweepScope, CallsGatesOfOnesOwnAsTheFileDoes) {
  const auto gate = [](const std::string& name, const std::string& formula) {
    return "[oscillation." + name + "]\no = '" + formula + "'\n";
  };
  const std::string head = "base.task.name = 'mqar'\nbase.optim.steps = 100\ngrid.seed = [1, 2]\n";
  for (const std::string formula : {"sigmoid(p_k)", "sigmoid(p_d)"})
    for (const RunConfig& run :
         expanded(sweep_of(head + "base.model.code = '1-mine-1-0'\n" + gate("mine", formula))).runs)
      have(run);
  results::write_text(file,
                      head + "grid.model.code = ['1-theirs-1-0', '1-mine-1-0']\n" +
                          gate("mine", "sigmoid(p_d)") + gate("theirs", "sigmoid(p_k)") +
                          "[[claim]]\nclaim = '1-mine-1-0 > 1-theirs-1-0 in valid.accuracy'\n");
  const Ran shown = run_lcsm({"table", file, "--values", "optim.lr", "--format", "json",
                              "--workspace", workspace.path().string()});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const nlohmann::json json = nlohmann::json::parse(shown.out);
  EXPECT_EQ(json["rows"].dump(), R"([["1-theirs-1-0"],["1-mine-1-0"]])");
  for (const auto& row : json["cells"]) EXPECT_EQ(row[0]["runs"].size(), 2u) << shown.out;
  EXPECT_EQ(json["claims"][0]["why"].dump().find("expected values"), std::string::npos)
      << shown.out;
}

// Codes that differ only in a size are two rows, in the file's order, and are not averaged.
TEST_F(SweepScope, CallsCodesWithSizesAsTheFileDoes) {
  const std::string text =
      "base.task.name = 'mqar'\nbase.optim.steps = 100\n"
      "grid.model.code = ['1-3-1-0@tau=8,k=64', '1-3-1-0@tau=8,k=32']\ngrid.seed = [1, 2]\n"
      "[[table]]\nrows = 'model.code'\nvalues = 'optim.lr'\nbaseline = '1-3-1-0@tau=8,k=32'\n"
      "[[claim]]\nclaim = '1-3-1-0@tau=8,k=64 > 1-3-1-0@tau=8,k=32 in valid.accuracy'\n";
  results::write_text(file, text);
  for (const RunConfig& run : expanded(sweep_of(text)).runs) have(run);
  const Ran shown =
      run_lcsm({"table", file, "--format", "json", "--workspace", workspace.path().string()});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const nlohmann::json json = nlohmann::json::parse(shown.out);
  EXPECT_EQ(json["rows"].dump(), R"([["1-3-1-0@tau=8,k=64"],["1-3-1-0@tau=8,k=32"]])");
  for (const auto& row : json["cells"]) EXPECT_EQ(row[0]["runs"].size(), 2u) << shown.out;
  EXPECT_EQ(json["claims"][0]["why"].dump().find("expected values"), std::string::npos)
      << shown.out;
}

TEST_F(SweepScope, HasTheOrderOfTheFilesLists) {
  const std::string text =
      "base.task.name = 'mqar'\nbase.optim.steps = 100\n"
      "grid.model.code = ['1-9-1-0', '1-1-1-0']\ngrid.seed = [2, 1]\n";
  const Scope scope = scope_of(sweep_of(text), {.scale = ""}, {});
  EXPECT_EQ(scope.order.at("model.code"), (Words{"1-9-1-0", "1-1-1-0"}));
  EXPECT_EQ(scope.order.at("seed"), (Words{"2", "1"}));
}

TEST_F(SweepScope, OfARequestIsItsPoints) {
  const SweepFile sweep = sweep_of(kText);
  EXPECT_EQ(scope_of(sweep, {.scale = "laptop"}, {}).only, ids_of({.scale = "laptop"}, 4));
  const SweepRequest longer{.scale = "", .settings = {"optim.steps=200"}};
  EXPECT_EQ(scope_of(sweep, longer, {}).only, ids_of({.settings = {"optim.steps=200"}}, 4));
  EXPECT_THROW(scope_of(sweep, {.scale = "phone"}, {}), std::invalid_argument);
}

TEST_F(SweepScope, OfKnownPointsIsThatOfTheirExpansion) {
  std::vector<results::NamedRun> points;
  for (const RunConfig& run : expanded(sweep_of(kText)).runs)
    points.push_back({run_id(run), parameter_values(run)});
  have(expanded(sweep_of(kText)).runs[2]);
  results::fold(workspace.path());
  const auto database = results::open_for_reading(workspace.path());
  const SweepViews known = views_over(sweep_of(kText), {}, {}, points, *database);
  Scope scope;
  const SweepViews found = find_views(file, {}, *database, &scope);
  ASSERT_EQ(known.tables.size(), 1u);
  ASSERT_EQ(found.tables.size(), 1u);
  EXPECT_EQ(known.tables[0].scope.only, found.tables[0].scope.only);
  ASSERT_EQ(known.tables[0].scope.planned.size(), 4u)
      << "three that are missing, and one that is there";
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(known.tables[0].scope.planned[i].id, found.tables[0].scope.planned[i].id);
    EXPECT_EQ(known.tables[0].scope.planned[i].parameters,
              found.tables[0].scope.planned[i].parameters);
  }
}

TEST_F(SweepScope, TablesShowMissingRuns) {
  const std::vector<RunConfig> runs = expanded(sweep_of(kText)).runs;
  have(runs[0]);
  have(runs[1]);
  Ran ran = table({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(count(ran.out, "1-9-1-0"), 1u) << ran.out;
  EXPECT_EQ(count(ran.out, "fewer runs than planned"), 1u) << ran.out;
  // Both runs of 1-9-1-0, and a run of neither scale.
  have(runs[2]);
  have(runs[3]);
  EXPECT_EQ(count(table({}).out, "fewer runs"), 0u);
  have(expanded(sweep_of(kText), {.scale = "laptop"}).runs[0]);
  ran = table({"--rows", "model.code,optim.steps"});
  EXPECT_EQ(count(ran.out, "\n1-1-1-0"), 1u) << ran.out;
  EXPECT_EQ(ran.err,
            "1 run of my left out: not in scale paper of the current file; select others with "
            "--scale and --set\n");
  EXPECT_EQ(count(table({"--scale", "paper"}).err, "left out"), 0u);
  EXPECT_EQ(count(table({"--scale", "laptop"}).out, "fewer runs than planned"), 2u);
}

TEST_F(SweepScope, TablesSayThatTheirRunsAreOfAnEarlierFile) {
  have(expanded(sweep_of(kText), {.settings = {"optim.lr=1e-2"}}).runs[0]);
  const Ran ran = table({});
  EXPECT_EQ(count(ran.out, "\n1-1-1-0"), 1u) << ran.out;
  EXPECT_EQ(ran.err,
            "1 run of my shown though not in the current file: from an earlier version of it, or "
            "from --set\n");
}

TEST_F(SweepScope, TablesSayThatTheirRunsAreAllWhereThePointsAreUnknown) {
  for (const RunConfig& run : expanded(sweep_of(kText), {}).runs) have(run);
  results::write_text(file, kText + "[[claim]]\nclaim = 'ssm is best of model.code'\n");
  const Ran ran = table({});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(count(ran.err, "all runs that it started are shown and missing ones are not"), 1u);
}

// Runs of another scale, or with another budget, do not have the paper's setting.
TEST_F(SweepScope, ComparesRunsOfThePapersScalesWithThePaper) {
  const std::string text = "paper = 'lcsm/figure3'\n" + kText +
                           "[scale.paper-3]\ngrid.seed = [1, 2, 3]\n[scale.short]\n"
                           "base.optim.steps = 20\n";
  results::write_text(file, text);
  have(expanded(sweep_of(kText)).runs[0]);
  results::fold(workspace.path());
  const auto database = results::open_for_reading(workspace.path());
  const auto as_paper = [&](const SweepRequest& asked) {
    Scope scope;
    return *find_views(file, asked, *database, &scope).tables[0].scope.as_paper;
  };
  const std::set<std::string> paper = ids_of({}, 4), seven = ids_of({.settings = {"seed=7"}}, 2);
  EXPECT_EQ(as_paper({.scale = "laptop"}), paper);
  EXPECT_EQ(as_paper({.settings = {"optim.steps=200"}}), paper);
  EXPECT_EQ(as_paper({.scale = "paper-3"}), ids_of({.settings = {"seed=[1,2,3]"}}, 6));
  EXPECT_EQ(as_paper({.settings = {"seed=7"}}), seven) << "another seed is no other budget";
}

TEST_F(SweepScope, OfANameWithoutAFileThereIsNoScale) {
  have(expanded(sweep_of(kText)).runs[0]);
  const Ran ran =
      run_lcsm({"table", "my", "--scale", "laptop", "--workspace", workspace.path().string()});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("--scale and --set need a sweep file"), std::string::npos) << ran.err;
}

}  // namespace runner
