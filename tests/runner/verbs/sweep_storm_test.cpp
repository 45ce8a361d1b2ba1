// A sweep through whatever a machine does to it: what comes out is the same, byte for byte.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <random>
#include <thread>

#include "runner/cli/front.h"
#include "runner/verbs/verbs.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/fake_sweep.h"

namespace runner {
namespace {

constexpr const char* kWays = "20, 21, 22";

// `lcsm run` within this process, whose changes of files are counted.
int run_here(const FakeSweep& sweep, const Words& more) {
  Words words = sweep.run_words(more);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  (void)!freopen((sweep.folder() / "out").c_str(), "w", stdout);
  (void)!freopen((sweep.folder() / "err").c_str(), "w", stderr);
  Verb program("lcsm", "");
  add_sweep_run(program);
  return run_front(program, static_cast<int>(arguments.size()), arguments.data());
}

std::string undisturbed(const char* ways) {
  const FakeSweep sweep(ways);
  EXPECT_EQ(sweep.run().status, 0);
  return sweep.came_out();
}

class SweepStorm : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm was not built";
  }
};

}  // namespace

TEST_F(SweepStorm, KilledAtAnyWriteTheNextRunEndsTheSame) {
  const std::string wanted = undisturbed(kWays);
  int n = 1;
  for (bool killed = true; killed; ++n) {
    const FakeSweep sweep(kWays);
    killed = results::killed_at(n, [&] {
      if (run_here(sweep, {"--jobs", "2"}) != 0)
        throw std::runtime_error(read_file(sweep.folder() / "err"));
    });
    const Ran next = sweep.run({"--jobs", "2"});
    ASSERT_EQ(next.status, 0) << "killed at change " << n << "\n" << next.err;
    ASSERT_EQ(sweep.came_out(), wanted) << "killed at change " << n;
  }
  EXPECT_GT(n, 50);
}

// Whatever cannot be written is told; what was there stays.
TEST_F(SweepStorm, AFullDiskAtAnyWriteLosesNothing) {
  const std::string wanted = undisturbed("20");
  std::optional<int> status = 0;
  for (int n = 1; status; ++n) {
    const FakeSweep sweep("20");
    status = results::failing_at(n, ENOSPC, n % 2 == 0, [&] {
      return run_here(sweep, {"--retries", "0"});
    });
    EXPECT_LE(status.value_or(0), 1) << "at change " << n << "\n"
                                     << read_file(sweep.folder() / "err");
    const Ran next = sweep.run();
    ASSERT_EQ(next.status, 0) << "full at change " << n << "\n" << next.err;
    ASSERT_EQ(sweep.came_out(), wanted) << "full at change " << n;
  }
}

// 40 of them, or as many as LCSM_KILLS says.
TEST_F(SweepStorm, RandomKillsOfRandomProcessesChangeNothing) {
  const char* often = std::getenv("LCSM_KILLS");
  const int kills = often != nullptr ? std::atoi(often) : 40;
  const char* ways = "20, 21, 22, 23, 24, 25, 26, 27, 28, 29";
  const std::string wanted = undisturbed(ways);
  constexpr unsigned kSeed = 8;
  std::mt19937 random(kSeed);
  int killed = 0, sweeps = 0;
  for (; killed < kills && sweeps < kills; ++sweeps) {
    const FakeSweep sweep(ways);
    for (int status = -1; status != 0;) {
      Background run(sweep.run_words({"--jobs", "2", "--retries", "0"}), sweep.folder() / "told",
                     {"FAKE_STEP_MS=5"});
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 100));
      const std::vector<pid_t> children = children_of(run.id());
      const std::size_t which = random() % (children.size() + 1);
      const bool strike = killed < kills && !run.over();
      killed += strike;
      if (strike) kill(which < children.size() ? children[which] : run.id(), SIGKILL);
      status = run.wait();
      ASSERT_NE(status, -1) << "seed " << kSeed << ", kill " << killed << "\n" << run.output();
    }
    ASSERT_EQ(sweep.came_out(), wanted) << "seed " << kSeed << ", kill " << killed;
  }
  EXPECT_EQ(killed, kills) << "in " << sweeps << " sweeps";
}

}  // namespace runner
