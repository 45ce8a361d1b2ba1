// Several sweeps in one workspace: in one `lcsm run`, and in others that wait for their turn.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/runner/fake_sweep.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class SeveralSweeps : public WithPrograms {
 protected:
  // Another sweep of this workspace, with runs that end in these ways.
  static std::string file(const FakeSweep& sweep, const std::string& name,
                          const std::string& ways) {
    const fs::path path = sweep.folder() / (name + ".toml");
    std::ofstream(path) << "title = 'Other'\nextends = 'mine.toml'\ngrid.task.seed = [" << ways
                        << "]\n";
    return path.string();
  }

  // `lcsm run` of that file alone.
  static Words alone(const FakeSweep& sweep, const std::string& file) {
    Words words = sweep.run_words();
    words[2] = file;
    return words;
  }

  static Words queued(const FakeSweep& sweep) {
    const auto json =
        nlohmann::json::parse(sweep.lcsm({"status", sweep.file().string(), "--json"}).out);
    Words names;
    for (const std::string each : json["queued"])  // "another process" until its name is known
      names.push_back(each.substr(std::min(each.find('('), each.size())));
    return names;
  }
};

}  // namespace

TEST_F(SeveralSweeps, RunOneAfterTheOtherAndCountARunOnce) {
  const FakeSweep sweep("1, 6");
  const Ran ran = sweep.run({file(sweep, "other", "1, 20"), "--on-finish", "echo $LCSM_SWEEP"});
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_TRUE(has(ran.err, "lcsm run: other: 1 run to do")) << ran.err;
  const std::size_t mine = ran.out.find("mine: 1 done, 1 failed, 0 left of 2\nmine\n");
  const std::size_t other = ran.out.find("other: 2 done, 0 failed, 0 left of 2\nother\n");
  EXPECT_NE(other, std::string::npos) << ran.out;
  EXPECT_LT(mine, other) << ran.out;
  EXPECT_EQ(last_line(ran.out), "2 sweeps: 2 done, 1 failed, 0 left of 3\n");
  EXPECT_TRUE(has(ran.err, "1 of 3 runs not done")) << ran.err;
  EXPECT_TRUE(has(sweep.lcsm({"status"}).out, "other: Other\n")) << "the last one";
}

// In a pipe too.
TEST_F(SeveralSweeps, EndInTheTableOfTheirOwnPoints) {
  const FakeSweep sweep("20, 21");
  ASSERT_EQ(sweep.run().status, 0);
  const std::string table =
      sweep.lcsm({"table", sweep.file().string(), "--set", "task.seed=20"}).out;
  EXPECT_FALSE(has(table, "21")) << table;
  const std::string out = sweep.run({"--set", "task.seed=20"}).out;
  EXPECT_TRUE(has(out, table)) << out;
}

TEST_F(SeveralSweeps, AllMistakesAreFoundBeforeTheFirstStarts) {
  const FakeSweep sweep("1");
  const std::string wrong = file(sweep, "wrong", "1, 'two'");
  const Ran ran = sweep.run({wrong});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, "wrong.toml:3:")) << ran.err;
  EXPECT_EQ(sweep.run({file(sweep, "other", "20"), "--scale", "small"}).status, 2);
  EXPECT_EQ(sweep.state(1), "new");
}

TEST_F(SeveralSweeps, TheLaterOnesDoNotStartAfterAStop) {
  const FakeSweep sweep("6");
  const std::string other = file(sweep, "other", "20");
  const Ran failed = sweep.run({other, "--fail-fast"});
  EXPECT_EQ(last_line(failed.out), "2 sweeps: 0 done, 1 failed, 1 left of 2\n") << failed.err;
  const FakeSweep slow("10");
  Background run(slow.run_words({file(slow, "other", "20")}), slow.folder() / "output");
  EXPECT_TRUE(comes_true([&] { return slow.state(10) == "running"; }));
  kill(run.id(), SIGINT);
  EXPECT_EQ(run.wait(), 5) << run.output();
  EXPECT_TRUE(has(run.output(), "2 sweeps: 0 done, 0 failed, 2 left of 2\n")) << run.output();
}

TEST_F(SeveralSweeps, WaitForTheirTurnInTheirOrder) {
  const FakeSweep sweep("10");
  const std::string second = file(sweep, "second", "11"), third = file(sweep, "third", "1");
  Background first(sweep.run_words(), sweep.folder() / "first");
  ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; }));
  Background killed(alone(sweep, third), sweep.folder() / "killed");
  ASSERT_TRUE(comes_true([&] { return queued(sweep) == Words{"(third)"}; })) << killed.output();
  Background next(alone(sweep, second), sweep.folder() / "next");
  ASSERT_TRUE(comes_true([&] { return queued(sweep) == Words{"(third)", "(second)"}; }));
  kill(killed.id(), SIGKILL);
  killed.wait();
  Background last(alone(sweep, third), sweep.folder() / "last");
  ASSERT_TRUE(comes_true([&] { return queued(sweep) == Words{"(second)", "(third)"}; }));
  EXPECT_TRUE(comes_true([&] { return has(last.output(), ", and 1 before this; `lcsm watch`"); }))
      << last.output();
  const std::string ahead = "lcsm run: waits for process " + std::to_string(first.id()) + " (mine)";
  EXPECT_TRUE(has(next.output(), ahead)) << next.output();
  kill(first.id(), SIGINT);
  EXPECT_EQ(first.wait(), 5);
  EXPECT_EQ(last.wait(), 0) << last.output();
  EXPECT_TRUE(next.over()) << "it came before the last one";
  EXPECT_TRUE(has(next.output(), "second: 1 done, 0 failed, 0 left of 1\n")) << next.output();
  EXPECT_TRUE(queued(sweep).empty());
}

TEST_F(SeveralSweeps, AreReportedAtOnceWhereNothingIsLeftToDo) {
  const FakeSweep sweep("10");
  const std::string done = file(sweep, "done", "1"), same = file(sweep, "same", "1");
  ASSERT_EQ(Background(alone(sweep, done), sweep.folder() / "done").wait(), 0);
  Background first(sweep.run_words(), sweep.folder() / "first");
  ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; }));
  for (const auto& [name, path] : {std::pair("done", done), std::pair("same", same)}) {
    const Ran ran = run_program(alone(sweep, path));
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, std::string(name) + ": 1 done, nothing to do\n")) << ran.out;
  }
  EXPECT_EQ(sweep.state(10), "running");
  EXPECT_TRUE(has(sweep.lcsm({"status"}).out, "mine: ")) << "the one that trains";
  const std::string members = "SELECT DISTINCT sweep FROM members ORDER BY sweep";
  EXPECT_EQ(sweep.lcsm({"query", "--format", "csv", members}).out, "sweep\ndone\nmine\nsame\n");
}

TEST_F(SeveralSweeps, LeaveTheQueueWhenInterrupted) {
  const FakeSweep sweep("10");
  Background first(sweep.run_words(), sweep.folder() / "first");
  ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; }));
  const Ran detached = sweep.run({"--detach"});
  EXPECT_EQ(detached.status, 0) << detached.err;
  EXPECT_TRUE(has(detached.out, ", where it waits for its turn; its output goes to "));
  const pid_t waiting = std::stoi(detached.out.substr(detached.out.find("process ") + 8));
  kill(waiting, SIGINT);
  EXPECT_TRUE(comes_true([&] { return queued(sweep).empty(); }));
  EXPECT_TRUE(comes_true([&] {
    return has(read_file(sweep.workspace() / "run.log"), "interrupted while it waited");
  }));
  EXPECT_EQ(sweep.state(10), "running");
}

}  // namespace runner
