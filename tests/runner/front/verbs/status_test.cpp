// `lcsm status`, and `lcsm watch` in a pipe, on existing run folders.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "runner/front/pages/status_page.h"
#include "runner/sweeps/language/choice.h"
#include "runner/sweeps/language/search.h"
#include "runner/workspace/folder.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Status : public ::testing::Test {
 protected:
  void SetUp() override { write_with_seeds("5, 6, 18"); }
  void write_with_seeds(const std::string& seeds) const {
    std::ofstream(file())
        << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n"
           "base.optim = { steps = 20, epochs = 0, schedule = 'cosine' }\n"
           "base.eval = { steps = 10, epochs = 0 }\n"
           "grid.task.seed = ["
        << seeds << "]\n";
  }
  Ran lcsm(Words words) const {
    words.insert(words.end(), {"--workspace", (folder_.path() / "workspace").string()});
    return run_lcsm(words);
  }
  Ran run() const {
    return lcsm({"run", file(), "--trainer", program_beside("fake_train").string(), "--jobs", "2"});
  }
  std::string file() const { return (folder_.path() / "mine.toml").string(); }
  ScratchFolder folder_;
};

}  // namespace

TEST_F(Status, ShowsTheLastSweep) {
  run();
  const Ran ran = lcsm({"status"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const std::string workspace = (folder_.path() / "workspace").string();
  EXPECT_NE(ran.out.find("mine: Mine\n"
                         "run by      no process: `lcsm run " +
                         file() + " --workspace " + workspace +
                         "` runs the rest\n"
                         "points      3: 1 done, 1 failed, 1 interrupted\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(run_command(load_sweep(file()), {.workspace = default_workspace()}),
            "lcsm run " + file());
  EXPECT_NE(ran.out.find("task.seed = 6  diverged"), std::string::npos) << ran.out;
  EXPECT_EQ(lcsm({"status", file()}).out, ran.out);
}

TEST_F(Status, JsonHasASchema) {
  run();
  const auto json = nlohmann::json::parse(lcsm({"status", "--json"}).out);
  EXPECT_EQ(json["schema"], "lcsm.status/1");
  EXPECT_EQ(json["sweep"], "mine");
  EXPECT_TRUE(json["run_by"].is_null());
  EXPECT_EQ(json["points"], 3);
  EXPECT_EQ(json["states"]["done"], 1);
  EXPECT_EQ(json["states"]["interrupted"], 1);
  EXPECT_EQ(json["best"]["metric"], "valid.accuracy");
  EXPECT_EQ(json["best"]["value"], 0.5);
  EXPECT_EQ(json["runs"].size(), 1u);
  EXPECT_EQ(json["runs"][0]["at"]["task.seed"], "6");
  EXPECT_TRUE(json["eta_seconds"].is_number());
}

TEST_F(Status, ShowsTheBestRunWhereTheTableHasNoValidationMetric) {
  std::ofstream(file(), std::ios::app) << "[[table]]\nvalues = 'params'\n";
  run();
  const Ran ran = lcsm({"status"});
  EXPECT_NE(ran.out.find("best        valid.accuracy 0.5: "), std::string::npos) << ran.out;
}

TEST(StatusPage, SaysHowAPausedSweepContinues) {
  PanelModel model;
  model.eta_seconds = 30;
  model.jobs = 2;
  EXPECT_TRUE(has(status_page(model, {}), "left        30 s with 2 at a time\n"));
  model.jobs = 0;
  EXPECT_TRUE(has(status_page(model, {}), "left        30 s, paused: `lcsm jobs N` continues\n"));
  model.message = "1 MB of disk space left";
  EXPECT_TRUE(has(status_page(model, {}), "note        1 MB of disk space left\n"));
}

TEST(StatusPage, HasAllCharactersOfATitleInAPipe) {
  PanelModel model;
  model.called = "mine";
  model.title = "Für \033[1mdich";
  EXPECT_TRUE(status_page(model, {}).starts_with("mine: Für "));
  EXPECT_FALSE(has(status_page(model, {}), "\033"));
  EXPECT_TRUE(status_page(model, {.tty = true}).starts_with("mine: F?r "));
}

TEST_F(Status, OfANewSweepAllIsNew) {
  std::filesystem::create_directories(folder_.path() / "workspace");
  const Ran none = lcsm({"status"});
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("expected a sweep that was run in"), std::string::npos) << none.err;
  const Ran ran = lcsm({"status", file()});
  EXPECT_NE(ran.out.find("points      3: 3 new\n"), std::string::npos) << ran.out << ran.err;
}

TEST_F(Status, ARunThatHasNotBeenStartedIsKnown) {
  run();
  write_with_seeds("7, 5, 6, 18");
  const auto runs = nlohmann::json::parse(lcsm({"plan", file(), "--json"}).out)["runs"];
  const auto id = runs[0]["id"].get<std::string>();
  const std::string said = "task.seed = 7 of mine: see `lcsm why " + id.substr(0, 8) + "`";
  for (const std::string& word : {id.substr(0, 8), std::string("task.seed=7")})
    for (const char* verb : {"show", "log", "note"})
      EXPECT_NE(lcsm({verb, word}).err.find(said), std::string::npos) << lcsm({verb, word}).err;
  EXPECT_EQ(lcsm({"log", id, "--follow"}).err,
            "lcsm log: the run has not been started: see `lcsm why " + id.substr(0, 8) + "`\n");
}

TEST_F(Status, OfARunKilledByASignalIsThatOfShow) {
  std::ofstream(file()) << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.task.seed = 9\n"
                           "base.model.code = '1-1-1-0'\n";
  lcsm({"run", file(), "--trainer", program_beside("fake_train").string(), "--retries", "0"});
  EXPECT_NE(lcsm({"status"}).out.find("points      1: 1 failed\n"), std::string::npos);
  const Ran show = lcsm({"show", "state=failed"});
  EXPECT_NE(show.out.find("\nstatus    failed at step "), std::string::npos) << show.out;
  EXPECT_NE(show.out.find(": signal 11"), std::string::npos) << show.out;
}

TEST_F(Status, ARenamedGateIsFoundUnderBothNames) {
  const auto write = [&](const std::string& gate) {
    std::ofstream(file()) << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.task.seed = 5\n"
                             "base.optim = { steps = 20, epochs = 0, schedule = 'cosine' }\n"
                             "base.eval = { steps = 10, epochs = 0 }\n"
                             "grid.model.code = ['1-1-1-0', '1-" +
                                 gate + "-1-0']\n[oscillation." + gate +
                                 "]\no = 'exp(-softplus(p_k))'\n";
  };
  write("first");
  run();
  write("second");
  for (const std::string gate : {"first", "second"}) {
    const Ran show = lcsm({"show", "model.code=1-" + gate + "-1-0, seed=1"});
    EXPECT_EQ(show.status, 0) << gate << show.err;
    EXPECT_NE(show.out.find("exp(-softplus(p_k))"), std::string::npos) << gate << show.out;
  }
  EXPECT_NE(lcsm({"show", "model.code=1-third-1-0"}).err.find("no run has"), std::string::npos);
}

// Also when another sweep was run since.
TEST_F(Status, ACodeIsFoundUnderItsSize) {
  const auto write = [&](const char* code) {
    std::ofstream(file()) << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.task.seed = 5\n"
                             "base.optim = { steps = 20, epochs = 0, schedule = 'cosine' }\n"
                             "base.eval = { steps = 10, epochs = 0 }\n"
                             "grid.model.code = ['1-1-1-0', '"
                          << code << "']\n";
  };
  write("1-1-1-0@k=4");
  run();
  write("gla@k=8', '1-1-1-0@k=8");
  run();
  write("gla@k=8', '1-1-1-0@k=16");
  for (const char* code : {"1-1-1-0@k=4", "1-1-1-0@k=16", "gla@k=8"}) {
    const Ran why = lcsm({"why", std::string("model.code = ") + code + ", seed = 1"});
    EXPECT_EQ(why.status, 0) << why.err;
  }
}

TEST_F(Status, EveryVerbTakesAsFewDigitsOfAnIdAsShow) {
  run();
  const auto rows =
      nlohmann::json::parse(lcsm({"query", "SELECT min(id) FROM overview", "--json"}).out)["rows"];
  const auto id = rows[0][0].get<std::string>();
  for (std::size_t digits = 1; digits <= 4; ++digits) {
    const int status = lcsm({"show", id.substr(0, digits)}).status;
    EXPECT_EQ(lcsm({"why", id.substr(0, digits)}).status, status) << id << ": " << digits;
    EXPECT_EQ(lcsm({"tag", "few", id.substr(0, digits)}).status, status) << id << ": " << digits;
  }
  EXPECT_EQ(lcsm({"why", id.substr(0, 4)}).status, 0);
}

TEST_F(Status, WatchInAPipeEndsWhenTheSweepIsNotRun) {
  run();
  const Ran ran = lcsm({"watch"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(last_line(ran.out), "mine: 1 done, 1 failed, 1 left of 3\n");
}

}  // namespace runner
