// `lcsm run` while other programs lock, damage or remove its files.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <fstream>

#include "results/events/run_folder.h"
#include "results/store/store.h"
#include "tests/runner/fake_sweep.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::Database;

class HostileHost : public WithPrograms {
 protected:
  // Runs the sweep's two runs; the end must not depend on results.db.
  void expect_usual_end() {
    const fs::path noted = sweep_.folder() / "noted";
    const Ran ran = sweep_.run({"--on-finish", "touch " + noted.string()});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(last_line(ran.out), "mine: 2 done, 0 failed, 0 left of 2\n") << ran.err;
    EXPECT_TRUE(fs::exists(noted));
  }
  fs::path database() const { return sweep_.workspace() / results::kDatabaseFile; }
  std::string table() const { return sweep_.lcsm({"table", sweep_.file().string()}).out; }

  FakeSweep sweep_{"1, 20"};
};

}  // namespace

TEST_F(HostileHost, ASweepEndsInItsTableAlsoInAPipe) {
  const std::string first = sweep_.run().out;
  ASSERT_TRUE(has(table(), "test.accuracy"));
  EXPECT_TRUE(has(first, table())) << first;
  EXPECT_TRUE(has(sweep_.run().out, table())) << "nothing to do";
}

TEST_F(HostileHost, ASweepEndsWhileAnotherProgramReadsTheIndex) {
  fs::create_directories(sweep_.workspace() / results::kRunsFolder);
  sweep_.lcsm({"rebuild"});
  Database foreign(database(), Database::Mode::kRead);
  results::Statement rows(foreign, "SELECT row FROM published");
  ASSERT_TRUE(rows.step());
  expect_usual_end();
  EXPECT_TRUE(rows.step());
  EXPECT_EQ(foreign.integer("SELECT count(*) FROM runs"), 0);
  EXPECT_TRUE(has(table(), "task.seed"));
}

TEST_F(HostileHost, ASweepEndsThoughTheIndexIsDamagedOrOfAnotherProgram) {
  fs::create_directories(sweep_.workspace() / results::kRunsFolder);
  std::ofstream(database()) << "no database";
  expect_usual_end();
  fs::remove(database());
  Database(database(), Database::Mode::kWrite).run("CREATE TABLE mine (x)");
  EXPECT_EQ(sweep_.run().status, 0);
  EXPECT_TRUE(has(table(), "task.seed"));
  const Ran rebuilt = sweep_.lcsm({"rebuild"});
  EXPECT_EQ(rebuilt.status, 1);
  EXPECT_TRUE(has(rebuilt.err, "got a database of another program")) << rebuilt.err;
}

TEST_F(HostileHost, AMovedWorkspaceIsNotMadeAgain) {
  const FakeSweep sweep("10, 12");
  Background run(sweep.run_words({"--jobs", "1"}), sweep.folder() / "output");
  ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; })) << run.output();
  const fs::path moved = sweep.folder() / "moved";
  fs::rename(sweep.workspace(), moved);
  EXPECT_EQ(run.wait(), 3) << run.output();
  EXPECT_TRUE(has(run.output(), "runs was removed: running runs were interrupted"));
  EXPECT_FALSE(fs::exists(sweep.workspace()));
  fs::rename(moved, sweep.workspace());
  EXPECT_EQ(sweep.state(10), "interrupted");
  EXPECT_EQ(sweep.state(12), "new");
}

// More runs than failures in a row that exclude a device. The first run removes its program, as a
// linker does.
TEST_F(HostileHost, ASweepWaitsWhileItsTrainingProgramIsBuilt) {
  const FakeSweep sweep("1, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 12");
  const fs::path trainer = sweep.folder() / "trainer", fake = program_beside("fake_train");
  std::ofstream(trainer) << "#!/bin/sh\nrm \"$0\"\nexec '" << fake.string() << "' \"$@\"\n";
  fs::permissions(trainer, fs::perms::owner_all);
  Words words = sweep.run_words({"--jobs", "1"});
  std::ranges::replace(words, fake.string(), trainer.string());
  Background run(words, sweep.folder() / "output");
  const std::string paused = "trainer cannot be started: No such file or directory";
  EXPECT_TRUE(comes_true([&] { return has(run.output(), paused); })) << run.output();
  fs::copy(fake, trainer);
  EXPECT_EQ(run.wait(), 0) << run.output();
  EXPECT_TRUE(has(run.output(), "mine: 12 done, 0 failed, 0 left of 12")) << run.output();
}

TEST_F(HostileHost, ASweepEndsThoughItsParentIgnoresTheEndsOfProcesses) {
  Words words = sweep_.run_words();
  words.insert(words.begin(), {"/usr/bin/env", "--ignore-signal=CHLD"});
  const Ran ran = run_program(words);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(last_line(ran.out), "mine: 2 done, 0 failed, 0 left of 2\n") << ran.err;
}

TEST_F(HostileHost, Usr1IsIgnoredAndUsr2Stops) {
  const FakeSweep sweep("10");
  Background run(sweep.run_words(), sweep.folder() / "output");
  ASSERT_TRUE(comes_true([&] { return sweep.state(10) == "running"; })) << run.output();
  kill(run.id(), SIGUSR1);
  EXPECT_EQ(sweep.state(10), "running");
  kill(run.id(), SIGUSR2);
  EXPECT_EQ(run.wait(), 5) << run.output();
}

}  // namespace runner
