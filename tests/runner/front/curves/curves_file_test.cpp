// The file of `lcsm watch --html`, and the verb.
#include "runner/front/curves/curves_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "runner/base/process/exit_code.h"
#include "tests/results/fixture.h"
#include "tests/runner/fake_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

nlohmann::json data_in(const fs::path& page) {
  const std::string text = read_file(page), start = "id=\"data\">";
  const std::size_t begin = text.find(start) + start.size();
  return nlohmann::json::parse(text.substr(begin, text.find("</script>", begin) - begin));
}

PanelModel model_of_one() {
  PanelModel model;
  model.sweep = model.called = "mine";
  model.runs.push_back(
      PanelRun{.id = results::run_id(1), .at = {}, .state = results::RunState::kDone});
  return model;
}

}  // namespace

TEST(CurvesFile, HasTheCurvesOfNow) {
  const results::Scratch scratch;
  results::write_run(scratch.path(), {.number = 1});
  CurvesFile file(scratch.path() / "page.html", scratch.path());
  file.write(model_of_one(), false);
  const auto data = data_in(file.path());
  EXPECT_EQ(data["runs"][0]["curves"]["valid.ppl"],
            nlohmann::json::parse("[[100,200,300],[30,25,24]]"));
  EXPECT_EQ(data["live"], false);
}

TEST(CurvesFile, IsWrittenAgainEveryFewSeconds) {
  const results::Scratch scratch;
  results::write_run(scratch.path(), {.number = 1});
  const PanelModel model = model_of_one();
  CurvesFile file(scratch.path() / "page.html", scratch.path());
  for (const double now : {100.0, 104.0}) file.keep_fresh(model, now);
  EXPECT_FALSE(fs::exists(file.path())) << "the first is due after five seconds";
  file.keep_fresh(model, 106);
  EXPECT_TRUE(comes_true([&] { return fs::exists(file.path()); }));
  EXPECT_EQ(data_in(file.path())["live"], true);
}

TEST(CurvesFile, ThatCannotBeWrittenIsReported) {
  const results::Scratch scratch;
  CurvesFile file(scratch.path() / "none" / "page.html", scratch.path());
  try {
    file.write(model_of_one(), true);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::kOutput);
    EXPECT_NE(std::string(failure.what()).find("page.html"), std::string::npos) << failure.what();
  }
  for (const double now : {100.0, 106.0, 107.0}) file.keep_fresh(model_of_one(), now);
}

class WatchHtml : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
  }
};

TEST_F(WatchHtml, EndsWithTheSweep) {
  const FakeSweep sweep("20, 21");
  sweep.run();
  const Ran ran = sweep.lcsm({"watch", "--html"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(last_line(ran.out), "mine: 2 done, 0 failed, 0 left of 2\n");
  const fs::path page = sweep.workspace() / "watch" / "mine.html";
  EXPECT_EQ(ran.err, "page: " + page.string() + "\n");
  const auto data = data_in(page);
  EXPECT_EQ(data["live"], false);
  EXPECT_EQ(data["states"]["done"], 2);
  EXPECT_EQ(data["runs"][1]["curves"]["train.loss"][0].size(), 6u);
}

TEST_F(WatchHtml, TakesAFile) {
  const FakeSweep sweep("20");
  sweep.run();
  const std::string page = (sweep.folder() / "a.html").string();
  EXPECT_EQ(sweep.lcsm({"watch", sweep.file().string(), "--html", page}).status, 0);
  EXPECT_EQ(data_in(page)["sweep"], "mine");
}

TEST_F(WatchHtml, RefusesWhatIsNoPage) {
  const FakeSweep sweep("20");
  sweep.run();
  const Ran ran = sweep.lcsm({"watch", "--html", "quickstart"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("expected --html with a file name ending in .html, got 'quickstart'"),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(sweep.lcsm({"watch", "--html", "none/a.html"}).status, 4);
}

}  // namespace runner
