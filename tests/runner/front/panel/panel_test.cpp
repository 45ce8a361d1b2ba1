// `lcsm run` and `lcsm watch` on a real terminal.
#include "runner/front/panel/panel.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "runner/workspace/run_lock.h"
#include "tests/runner/pseudo_terminal.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUtf8 = "LC_ALL=C.UTF-8";

class PanelTest : public ::testing::Test {
 protected:
  // A sweep of runs that end in these ways (fake_train.cpp).
  Words run(const std::string& ways, const Words& more = {}, const char* seeds = "1") const {
    std::ofstream(folder_.path() / "mine.toml")
        << "title = 'Mine'\nbase.task.name = 'mqar'\nbase.model.code = '1-1-1-0'\n"
           "base.optim = { steps = 20, epochs = 0, schedule = 'cosine' }\n"
           "base.eval = { steps = 10, epochs = 0 }\ngrid.task.seed = ["
        << ways << "]\ngrid.seed = [" << seeds << "]\n";
    Words words = {program_beside("lcsm").string(),
                   "run",
                   (folder_.path() / "mine.toml").string(),
                   "--trainer",
                   program_beside("fake_train").string(),
                   "--workspace",
                   workspace()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string workspace() const { return (folder_.path() / "workspace").string(); }

  void expect_restored(const PseudoTerminal& terminal) const {
    EXPECT_TRUE(terminal.modes_are_restored());
    EXPECT_FALSE(terminal.picture().other_screen());
    EXPECT_TRUE(terminal.picture().cursor_shown());
  }

  ScratchFolder folder_;
};

}  // namespace

TEST_F(PanelTest, ShowsRunsUntilAllAreDone) {
  PseudoTerminal terminal(run("1, 6, 17", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 done, 1 failed, 1 running of 3")) << terminal.picture().text();
  EXPECT_TRUE(terminal.shows("20/20")) << terminal.picture().text();
  EXPECT_TRUE(terminal.shows("best valid.accuracy 0.5: ")) << terminal.picture().text();
  EXPECT_TRUE(terminal.picture().other_screen());
  EXPECT_FALSE(terminal.modes_are_restored());
  terminal.type("jc");
  EXPECT_EQ(terminal.wait(), 1);
  expect_restored(terminal);
  EXPECT_TRUE(terminal.shows("d a run diverged")) << "the table: " << terminal.picture().text();
  EXPECT_TRUE(terminal.shows("mine: 2 done, 1 failed, 0 left of 3"));
  EXPECT_TRUE(terminal.shows("task.seed = 6, seed = 1  diverged: exit status 6"));
}

// One run failed before its first event, and one waits for its retry.
TEST_F(PanelTest, CountsAsStatusAndPlanDo) {
  PseudoTerminal terminal(run("3, 6, 9, 10, 11", {"--jobs", "1"}), {kUtf8});
  const std::string counts = "2 failed, 1 interrupted, 1 running, 1 new";
  EXPECT_TRUE(terminal.shows(counts + " of 5")) << terminal.picture().text();
  const std::string file = (folder_.path() / "mine.toml").string();
  for (const char* verb : {"status", "plan"}) {
    const Ran ran =
        run_program({program_beside("lcsm").string(), verb, file, "--workspace", workspace()});
    EXPECT_NE(ran.out.find("points      5: " + counts + "\n"), std::string::npos) << ran.out;
  }
  terminal.type("qq");
  EXPECT_EQ(terminal.wait(), 5);
}

// The table leaves out former runs of the sweep, and runs of another scale.
TEST_F(PanelTest, ItsTableIsOfTheRunsThatItShows) {
  PseudoTerminal before(run("18", {"--plain"}), {kUtf8});
  EXPECT_EQ(before.wait(), 0);
  PseudoTerminal terminal(run("17", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(terminal.shows("0.5000 r")) << terminal.picture().text();
  EXPECT_EQ(terminal.picture().text().find("task.seed"), std::string::npos)
      << terminal.picture().text();
  terminal.type("qq");
  terminal.wait();
}

TEST_F(PanelTest, KeysSelectCancelRetryAndShowALog) {
  PseudoTerminal terminal(run("10", {"--jobs", "1"}, "1, 2"), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 running, 1 new of 2")) << terminal.picture().text();
  terminal.type("\033[B");
  EXPECT_TRUE(terminal.shows("\n>")) << terminal.picture().text();
  terminal.type("\n");
  EXPECT_TRUE(terminal.shows("state      running")) << terminal.picture().text();
  terminal.type("l");
  EXPECT_TRUE(terminal.shows("stderr.log")) << terminal.picture().text();
  terminal.type("q");
  terminal.type("c");
  EXPECT_TRUE(terminal.shows("  cancelled")) << terminal.picture().text();
  terminal.type("r");
  EXPECT_TRUE(terminal.wait_until([](const TerminalPicture& p) {
    const std::string text = p.text();
    return text.find("resumes after step") != text.npos ||
           text.find("queued for a retry") != text.npos;
  })) << terminal.picture().text();
  terminal.type("qq");
  EXPECT_EQ(terminal.wait(), 5);
  expect_restored(terminal);
}

TEST_F(PanelTest, PausesAndChangesTheJobsWhileItRuns) {
  PseudoTerminal terminal(run("10", {"--jobs", "1"}, "1, 2, 3"), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 running, 2 new of 3")) << terminal.picture().text();
  terminal.type("p");
  EXPECT_TRUE(terminal.shows("1 at a time, paused")) << terminal.picture().text();
  terminal.type("+");
  EXPECT_TRUE(terminal.shows("2 at a time, paused"));
  EXPECT_TRUE(terminal.shows("1 running, 2 new of 3")) << "no run starts";
  terminal.type("p");
  EXPECT_TRUE(terminal.shows("2 running, 1 new of 3")) << terminal.picture().text();
  terminal.signal(SIGINT);
  EXPECT_EQ(terminal.wait(), 5);
  expect_restored(terminal);
}

TEST_F(PanelTest, RestoresTheTerminalHoweverItEndsOrStops) {
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT}) {
    PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8});
    EXPECT_TRUE(terminal.shows("1 running of 1")) << terminal.picture().text();
    terminal.signal(number);
    EXPECT_EQ(terminal.wait(), number == SIGQUIT ? 128 + number : 5);
    expect_restored(terminal);
  }
}

TEST_F(PanelTest, GivesTheTerminalBackAfterKill9) {
  PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 running of 1")) << terminal.picture().text();
  terminal.signal(SIGKILL);
  EXPECT_EQ(terminal.wait(), 128 + SIGKILL);
  EXPECT_TRUE(terminal.wait_until([](const TerminalPicture& p) { return !p.other_screen(); }));
  expect_restored(terminal);
}

TEST_F(PanelTest, LeavesTheTerminalAloneAfterItsEnd) {
  PseudoTerminal terminal(run("1", {"--jobs", "1"}), {kUtf8});
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.shows("mine: 1 done"));
  const std::string sent = terminal.picture().sent();
  const std::string leave = "\033[?1049l";
  EXPECT_EQ(sent.find(leave), sent.rfind(leave)) << "once";
}

TEST_F(PanelTest, IsBackAfterCtrlZ) {
  PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 running of 1"));
  terminal.signal(SIGTSTP);
  EXPECT_TRUE(terminal.stops());  // a SIGCONT before that would be lost
  EXPECT_TRUE(terminal.wait_until([](const TerminalPicture& p) { return !p.other_screen(); }));
  expect_restored(terminal);
  terminal.signal(SIGCONT);
  EXPECT_TRUE(terminal.wait_until([](const TerminalPicture& p) { return p.other_screen(); }));
  terminal.type("qq");
  EXPECT_EQ(terminal.wait(), 5);
  expect_restored(terminal);
}

TEST_F(PanelTest, LeavesTheRunsGoingInTheBackground) {
  std::optional<PseudoTerminal> terminal(std::in_place, run("10", {"--jobs", "1"}), Words{kUtf8});
  EXPECT_TRUE(terminal->shows("1 running of 1")) << terminal->picture().text();
  const auto before = who_runs(workspace());
  ASSERT_TRUE(before);
  terminal->type("d");
  EXPECT_EQ(terminal->wait(), 0);
  expect_restored(*terminal);
  const std::string says = "in the background, process " + std::to_string(before->process);
  EXPECT_TRUE(terminal->shows(says)) << terminal->picture().text();
  EXPECT_TRUE(terminal->shows("lcsm watch     shows it")) << terminal->picture().text();
  terminal.reset();
  const auto after = who_runs(workspace());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->process, before->process);
  EXPECT_EQ(getsid(after->process), after->process);
  const Ran log =
      run_program({program_beside("lcsm").string(), "status", "--workspace", workspace()});
  EXPECT_TRUE(has(log.out, "points      1: 1 running\n")) << log.out;
  kill(after->process, SIGINT);
  EXPECT_TRUE(comes_true([&] { return !who_runs(workspace()); }));
  // The last lines appear after the workspace is free for others.
  const auto text = [this] { return read_file(fs::path(workspace()) / "run.log"); };
  EXPECT_TRUE(comes_true([&] { return has(text(), "mine: 0 done, 0 failed, 1 left of 1\n"); }))
      << text();
  EXPECT_TRUE(has(text(), "stopping: each run writes a checkpoint")) << text();
  std::size_t attempts = 0;
  for (const auto& entry : fs::recursive_directory_iterator(workspace()))
    if (entry.path().filename() == "events.jsonl") {
      const std::string events = read_file(entry.path());
      const std::string begins = "\"event\":\"attempt\"";
      for (std::size_t at = 0; (at = events.find(begins, at)) != events.npos; ++at) ++attempts;
    }
  EXPECT_EQ(attempts, 1u) << "the run was not interrupted before";
}

TEST_F(PanelTest, KeepsThePanelIfTheLogCannotBeWritten) {
  fs::create_directories(fs::path(workspace()) / "run.log");
  PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(terminal.shows("1 running of 1")) << terminal.picture().text();
  terminal.type("d");
  EXPECT_TRUE(terminal.shows("run.log' cannot be written")) << terminal.picture().text();
  terminal.type("qq");
  EXPECT_EQ(terminal.wait(), 5);
}

TEST_F(PanelTest, FollowsTheSizeOfTheTerminal) {
  PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8}, 80, 24);
  EXPECT_TRUE(terminal.shows("q stop\n")) << terminal.picture().text();
  terminal.resize(40, 8);
  EXPECT_TRUE(terminal.wait_until([](const TerminalPicture& picture) {
    const std::string text = picture.text();
    return text.find("q stop") == std::string::npos && text.find("1 running") != std::string::npos;
  })) << terminal.picture().text();
  terminal.type("qq");
  terminal.wait();
}

TEST_F(PanelTest, IsLinesOnADumbTerminal) {
  PseudoTerminal terminal(run("1"), {"TERM=dumb"});
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(terminal.picture().sent().find('\033'), std::string::npos);
  EXPECT_TRUE(terminal.shows("task.seed = 1, seed = 1  done"));
  PseudoTerminal asked(run("1, 6", {"--plain"}));
  EXPECT_EQ(asked.wait(), 1);
  EXPECT_FALSE(asked.picture().sent().find("\033[?1049h") != std::string::npos);
}

TEST_F(PanelTest, HasNoColourWithNoColor) {
  for (const char* wish : {"NO_COLOR=1", "NO_COLOR="}) {
    PseudoTerminal terminal(run("10", {"--jobs", "1"}), {kUtf8, wish});
    EXPECT_TRUE(terminal.shows("1 running of 1"));
    const bool coloured = terminal.picture().sent().find("\033[1m") != std::string::npos;
    EXPECT_EQ(coloured, std::string(wish) == "NO_COLOR=");
    terminal.type("qq");
    terminal.wait();
  }
}

TEST_F(PanelTest, WatchShowsItOnAnotherTerminalAndEndsWithTheSweep) {
  PseudoTerminal runs(run("10", {"--jobs", "1"}), {kUtf8});
  EXPECT_TRUE(runs.shows("1 running of 1"));
  const Words watch = {program_beside("lcsm").string(), "watch", "--workspace", workspace()};
  PseudoTerminal left(watch, {kUtf8});
  EXPECT_TRUE(left.shows("1 running of 1")) << left.picture().text();
  EXPECT_TRUE(left.shows("process ")) << left.picture().text();
  left.type("p");
  EXPECT_TRUE(left.shows("read-only panel")) << left.picture().text();
  left.type("q");
  EXPECT_EQ(left.wait(), 0);
  expect_restored(left);
  runs.type("qq");
  EXPECT_EQ(runs.wait(), 5);
}

}  // namespace runner
