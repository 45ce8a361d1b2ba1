// Every kind of mistake in a sweep file, with its complete error message.
#include "runner/sweeps/language/file.h"

#include <gtest/gtest.h>

#include "tests/message_of.h"
#include "tests/runner/run_program.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/source_folder.h"

namespace runner {
namespace {

struct Mistaken {
  std::string text, message;
};

// sweep_mistakes.txt: "===", the text, the error message. "@base" stands for three lines.
std::vector<Mistaken> corpus() {
  std::vector<Mistaken> all;
  std::istringstream lines(
      read_file(source_folder() / "tests/runner/sweeps/language/sweep_mistakes.txt"));
  bool in_message = false;
  for (std::string line; std::getline(lines, line);) {
    in_message = line != "===" && (in_message || line.starts_with("my.toml:"));
    if (line == "===")
      all.emplace_back();
    else if (line == "@base")
      all.back().text += "[base]\ntask.name = 'mqar'\nmodel.code = '1-1-1-0'\n";
    else
      (in_message ? all.back().message : all.back().text) += line + "\n";
  }
  return all;
}

constexpr const char* kBase = "base.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n";

}  // namespace

// The source lines and carets are compared where the corpus has them.
TEST(SweepFile, ReportsEachMistakeWithPlaceLineAndCaret) {
  const std::vector<Mistaken> all = corpus();
  if (all.empty()) GTEST_SKIP() << "source tree not found";
  EXPECT_GE(all.size(), 100u);
  for (const Mistaken& each : all) {
    const bool quotes = each.message.find("\n  ") != std::string::npos;
    const std::string message = quotes ? message_of([&] { expanded(sweep_of(each.text)); }) + "\n"
                                       : mistakes_in({{"my", each.text}});
    EXPECT_EQ(message, each.message) << each.text;
  }
}

TEST(SweepFile, ReportsAllMistakesOfAFileAtOnce) {
  EXPECT_EQ(mistakes_in({{"my", "titel = 1\n[grid]\nseed = [1, 1]\nmodel.d = []\n[[zip]]\n"}}),
            "my.toml:1:1: unknown key 'titel'; did you mean 'title'?\n"
            "my.toml:3:12: seed: 1 is given twice\n"
            "my.toml:4:11: model.d: expected at least one value, got none\n"
            "my.toml:5:1: a [[zip]] needs lists, such as seed = [1, 2]\n");
}

TEST(SweepFile, ReportsMistakesOfExtendedFiles) {
  EXPECT_EQ(
      mistakes_in({{"my", "extends = 'old'\nbase.sede = 1\n"}, {"old", "base.optim.lr = 0\n"}}),
      "old.toml:1:17: optim.lr: expected a number above 0 and at most 1e+09, got 0\n"
      "my.toml:2:6: unknown key 'sede'; did you mean 'seed'?\n");
  EXPECT_EQ(mistakes_in({{"my", "extends = 'old'\n"}, {"old", "extends = 'my'\n"}}),
            "old.toml:1:11: extends: my.toml extends itself\n");
}

// A scale, --set or a file that extends this one may drop the points that a claim is about.
TEST(SweepFile, ChecksClaimsOnlyForTheUnmodifiedSweep) {
  const std::string text =
      "base.task.name = 'mqar'\n"
      "[grid]\nmodel.code = ['ssm', '1-1-1-0']\n"
      "[scale.laptop]\ngrid.model.code = ['ssm', '1-9-1-0']\n"
      "[[claim]]\nclaim = 'ssm < 1-9-1-0 of model.code'\n";
  EXPECT_EQ(mistakes_in({{"my", text}}),
            "my.toml:7:9: model.code is never 1-9-1-0; did you mean '1-1-1-0'?\n");
  EXPECT_EQ(mistakes_in({{"my", text}}, {.scale = "laptop"}), "");
  EXPECT_EQ(mistakes_in({{"my", text}}, {.settings = {"seed=2"}}), "");
  EXPECT_EQ(mistakes_in({{"my", "extends = 'old'\n"}, {"old", text}}), "");
}

TEST(SweepFile, AcceptsViewsThatMatchItsPoints) {
  EXPECT_EQ(
      mistakes_in({{"my", std::string(kBase) + "[grid]\nseed = [1, 2]\n[[table]]\nrows = 'seed'\n"
                                               "baseline = '2'\nwhere.task.length = 64\n"
                                               "where.optim.lr = 1e-3\n"}}),
      "");
  EXPECT_EQ(
      mistakes_in({{"my",
                    "base.task.name = 'mqar'\ngrid.model.code = ['1-1-1-0@k=32', '1-1-1-0@k=16']\n"
                    "[[table]]\nwhere.model.code = ['1-1-1-0@k=32', '1-1-1-0@k=16']\n"
                    "rows = 'model.code'\nbaseline = '1-1-1-0@k=16'\n"
                    "[[claim]]\nclaim = '1-1-1-0@k=32 < 1-1-1-0@k=16 of model.code'\n"}}),
      "");
  // An invalid point does not cause further mistakes.
  EXPECT_EQ(mistakes_in({{"my",
                          "base.task.name = 'mqar'\n[grid]\nmodel.code = ['9-1-1-0']\n[[table]]\n"
                          "where.task.length = 64\n"}}),
            "my.toml:3:16: model.code: e must be 0 or 1, got '9'\n");
}

TEST(SweepFile, TakesTitleAndBlocksFromTheLastFileThatHasThem) {
  const SweepFile sweep =
      sweep_of({{"my", "extends = 'old'\ntitle = 'new'\n[[table]]\nrows = 'seed'\n"},
                {"old",
                 "title = 'old'\nquestion = 'why'\npaper = 'lcsm/figure3'\n"
                 "[[table]]\n[[table]]\n[[figure]]\nx = 'model.d'\ny = 'valid.loss'\n"}});
  EXPECT_EQ(sweep.title + sweep.question + sweep.paper, "newlcsm/figure3")
      << "a new title drops the inherited question";
  ASSERT_EQ(sweep.views.tables.size(), 1u);
  EXPECT_EQ(sweep.views.figures.size(), 1u);
  EXPECT_EQ(sweep.views.tables[0].rows, std::vector<std::string>{"seed"});
}

TEST(SweepFile, KnowsOscillationsOfItsFileAndOfExtendedFiles) {
  const SweepFile sweep =
      sweep_of({{"my",
                 "extends = 'old'\n[oscillation.mine]\no = 'sigmoid(p_k)'\n"
                 "[base]\ntask.name = 'mqar'\n[grid]\nmodel.code = '1-{mine,theirs}-1-0'\n"},
                {"old", "[oscillation.theirs]\no = 'sigmoid(p_d)'\n"}});
  EXPECT_EQ(expanded(sweep).runs.size(), 2u);
}

TEST(SweepFile, ReportsABrokenOscillationButNotTheCodesThatNameIt) {
  const std::string name(50, 'a');  // too long; messages show the first 40 characters
  const std::string all =
      mistakes_in({{"my", "[oscillation." + name + "]\no = 'p_k'\n[base]\ntask.name = 'mqar'\n" +
                              "[grid]\nmodel.code = ['1-" + name + "-1-0', '1-nothing-1-0']\n"}});
  EXPECT_EQ(all.find("there is no oscillation '" + name.substr(0, 40)), std::string::npos) << all;
  EXPECT_NE(all.find("unknown oscillation 'nothing'"), std::string::npos) << all;
}

TEST(SweepFile, ListsScalesAfterPaper) {
  const SweepFile sweep = sweep_of(std::string(kBase) + "scale.b.base.seed = 2\nscale.a = {}\n");
  EXPECT_EQ(sweep.scale_names(), (std::vector<std::string>{"paper", "a", "b"}));
}

}  // namespace runner
