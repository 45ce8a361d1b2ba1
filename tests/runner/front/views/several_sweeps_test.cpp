// Two sweeps in one table, by the program.
#include "runner/front/views/several_sweeps.h"

#include <gtest/gtest.h>

#include "results/events/event_writer.h"
#include "results/events/run_folder.h"
#include "tests/runner/front/lcsm_test.h"
#include "tests/runner/sweeps/language/sweep_texts.h"
#include "tests/runner/sweeps/plan/planned_runs.h"

namespace runner {
namespace {

const std::string kBase = "base.task.name = 'mqar'\nbase.optim.steps = 100\ngrid.seed = [1, 2]\n";
const std::string kFirst = kBase +
                           "grid.model.code = ['1-1-1-0', '1-3-1-0']\n"
                           "[[table]]\nrows = 'model.code'\nvalues = 'valid.accuracy'\n";
const std::string kSecond = kBase + "grid.model.code = ['1-3-1-0', '1-9-1-0']\n";

class SeveralSweeps : public LcsmTest {
 protected:
  void SetUp() override {
    double accuracy = 0.1;
    for (const auto& [name, text] : {std::pair("a", kFirst), std::pair("b", kSecond)}) {
      results::write_text(file(name), text);
      for (const RunConfig& run : expanded(sweep_of(text)).runs) {
        const std::string id = write_measured(scratch.path(), run, {.status = ""});
        const auto folder = results::run_folder(scratch.path(), id);
        results::EventWriter events(folder);
        events.append(results::MetricsLine{100, {{"valid.accuracy", accuracy += 0.01}}});
        events.append(results::EndLine{results::RunState::kDone, 100, ""});
        results::write_mark(folder, {name, "", ""});
      }
    }
  }
  std::string file(const std::string& name) const {
    return (scratch.path() / (name + ".toml")).string();
  }
  Ran table(Words words) const {
    words.insert(words.begin(), {"table", file("a")});
    return lcsm(words);
  }
};

}  // namespace

TEST_F(SeveralSweeps, AreRowsOfOneTable) {
  const Ran both = table({file("b")});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_TRUE(both.out.starts_with("a, b\n\nmodel.code  ")) << both.out;
  for (const char* code : {"\n1-1-1-0 ", "\n1-3-1-0 ", "\n1-9-1-0 "})
    EXPECT_TRUE(has(both.out, code)) << both.out;
}

// 1-3-1-0 is in both.
TEST_F(SeveralSweeps, MayBeColumns) {
  const Ran csv = table({file("b"), "--columns", "sweep", "--format", "csv"});
  EXPECT_EQ(csv.status, 0) << csv.err;
  for (const char* cell : {"1-1-1-0,a,", "1-3-1-0,a,", "1-3-1-0,b,", "1-9-1-0,b,"})
    EXPECT_TRUE(has(csv.out, cell)) << csv.out;
  EXPECT_EQ(table({"--columns", "sweep"}).status, 2);
}

TEST_F(SeveralSweeps, AreDifferent) {
  EXPECT_TRUE(has(table({file("a")}).err, "expected different sweeps, got 'a' twice"));
  const std::string other = (scratch.path() / "other" / "a.toml").string();
  std::filesystem::create_directory(scratch.path() / "other");
  results::write_text(other, kSecond);
  EXPECT_TRUE(has(table({other}).err, "got 'a' from " + file("a") + " and from " + other +
                                          ": rename one of the files"));
}

TEST_F(SeveralSweeps, AnswerClaimsAboutRunsOfBoth) {
  const Ran ran = table({file("b"), "--claim", "1-9-1-0 > 1-1-1-0 in valid.accuracy"});
  EXPECT_TRUE(has(
      ran.out, ": 1-9-1-0 > 1-1-1-0 in valid.accuracy (1-9-1-0 and 1-1-1-0 have fewer than three"))
      << ran.out;
  const Ran wrong = table({"--claim", "1-9-1-0 > 1-1-1-0 in valid.acuracy"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(has(wrong.err, "did you mean 'valid.accuracy'?")) << wrong.err;
}

}  // namespace runner
