// Sweeps of fake_train on a real Slurm give the local scheduler's results, however their array
// tasks end.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "results/events/checkpoints.h"
#include "results/events/run_folder.h"
#include "runner/workspace/claim.h"
#include "tests/runner/cluster/slurm/small_cluster.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWays = "20, 21, 22, 23, 24, 25, 26, 27, 28, 29";

class RealSlurm : public testing::Test {
 protected:
  void start(int nodes, const std::string& profile, const std::string& ways = kWays,
             const std::string& more = "", bool accounted = false) {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
    cluster_ = std::make_unique<SmallCluster>(nodes, /*max_array_size=*/5, accounted);
    if (!cluster_->lacking().empty()) GTEST_SKIP() << cluster_->lacking();
    sweep_ = std::make_unique<FakeSweep>(ways, more);
    std::ofstream(sweep_->folder() / "slurm.toml") << "[small]\nsilence = \"2s\"\n" << profile;
    const FakeSweep calm(ways, more);
    ASSERT_EQ(calm.run().status, 0);
    wanted_ = results_of(calm);
  }

  // `step_ms`: the time of each of a run's six steps.
  Ran submit(int step_ms = 0) const {
    return sweep_->run({"--on", "slurm"},
                       cluster_->environment({"FAKE_STEP_MS=" + std::to_string(step_ms)}));
  }
  bool ended() const {
    for (int i = 0; i < 4; ++i)  // two minutes
      if (comes_true([this] { return cluster_->idle(); })) return true;
    return false;
  }
  std::vector<std::string> running(std::size_t least = 1) const {
    std::vector<std::string> jobs;
    EXPECT_TRUE(comes_true([&] { return (jobs = cluster_->jobs("RUNNING")).size() >= least; }));
    return jobs;
  }
  // Waits until every training run has a checkpoint of this attempt, since fake_train writes none
  // when it is told to end. False: nothing is left to train.
  bool all_gain() const {
    bool idle = false;
    const bool gain = comes_true([&] {
      if ((idle = cluster_->idle())) return true;
      int training = 0, gained = 0;
      for (const auto& run : results::entries_of(sweep_->workspace() / "runs")) {
        const std::int64_t claim = newest_claim(run.path());
        if (claim == 0 || claim_end(run.path(), claim)) continue;
        ++training;
        const auto places = results::entries_of(run.path() / "checkpoints");
        gained += std::any_of(begin(places), end(places), [&](const auto& entry) {
          const auto place = results::checkpoint_place(entry.path());
          return place && place->segment == claim;
        });
      }
      return training > 0 && gained == training;
    });
    return gain && !idle;
  }
  // A run has been started.
  bool trains() const {
    return comes_true([this] { return !processes_of(sweep_->workspace(), "lcsm-train").empty(); });
  }
  void expect_the_wanted_results() const {
    EXPECT_EQ(results_of(*sweep_), wanted_);
    const Ran again = submit();
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_NE(again.out.find(": nothing to submit, "), std::string::npos) << again.out;
  }

  std::unique_ptr<SmallCluster> cluster_;
  std::unique_ptr<FakeSweep> sweep_;
  std::string wanted_;
};

// Array tasks that start between two submissions get new numbers.
TEST_F(RealSlurm, FortyRunsEndInTheSameTable) {
  start(3, "time = \"10m\"\nelements = 6\n", kWays, "grid.seed = [1, 2, 3, 4]\n");
  if (IsSkipped()) return;
  const Ran first = submit();
  const std::regex two(
      "mine: 40 runs submitted, 6 array tasks of jobs 1, \\d+ \\(profile small\\)\n");
  EXPECT_TRUE(std::regex_match(first.out, two)) << first.out << first.err;
  EXPECT_EQ(submit().out.find("runs submitted"), std::string::npos) << "nothing twice";
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
}

// The account's limit is 20 jobs (small_cluster.sh).
TEST_F(RealSlurm, AnAccountsLimitCutsWhatIsSubmitted) {
  start(3, "time = \"10m\"\nelements = 40\naccount = \"lab\"\n", kWays,
        "grid.seed = [1, 2, 3, 4]\n", /*accounted=*/true);
  if (IsSkipped()) return;
  const Ran first = submit();
  const std::regex four(
      "mine: 40 runs submitted, 20 array tasks of jobs (\\d+), (\\d+), (\\d+), "
      "(\\d+) \\(profile small\\)\n");
  std::smatch jobs;
  ASSERT_TRUE(std::regex_match(first.out, jobs, four)) << first.out << first.err;
  const std::string third = '"' + jobs[3].str() + '"';
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
  for (const auto& entry : fs::directory_iterator(sweep_->workspace() / "submissions")) {
    std::string note = read_file(entry.path() / "jobs.json");
    ASSERT_NE(note.find(third), std::string::npos) << note;
    note.replace(note.find(third), third.size(), "\"\"");
    std::ofstream(entry.path() / "jobs.json") << note;
    submit();
    EXPECT_NE(read_file(entry.path() / "jobs.json").find(third), std::string::npos)
        << "the lost number is found again, in the queue's last minutes or by sacct";
  }
}

TEST_F(RealSlurm, RequeuedAtTheWarningItGoesOn) {
  start(2, "time = \"10m\"\nelements = 2\n", "20, 21, 22");
  if (IsSkipped()) return;
  submit(600);
  for (int strikes = 0; strikes < 3 && all_gain();) {
    const std::vector<std::string> jobs = cluster_->jobs("RUNNING");
    if (jobs.empty()) continue;
    cluster_->call({"scancel", "--batch", "--signal=USR2", jobs.front()});
    ++strikes;
    comes_true([&] { return cluster_->jobs("RUNNING") != jobs; });
  }
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
  const Ran cut = sweep_->lcsm({"query", "SELECT sum(attempts) > 3 FROM runs", "--format", "csv"});
  EXPECT_NE(cut.out.find("\n1\n"), std::string::npos) << cut.out;
}

// Slurm counts limits in minutes and warns up to half a minute early.
TEST_F(RealSlurm, ATimeLimitCutsRuns) {
  start(2, "time = \"1m\"\nwarning = \"10s\"\nelements = 2\n", "20, 21");
  if (IsSkipped()) return;
  submit(6000);
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
  const Ran cut = sweep_->lcsm({"query", "SELECT min(attempts) FROM runs", "--format", "csv"});
  EXPECT_EQ(cut.out.find("\n1\n"), std::string::npos) << cut.out;
}

TEST_F(RealSlurm, CancelledFromOutsideItIsSubmittedAgain) {
  start(2, "time = \"10m\"\nelements = 2\n");
  if (IsSkipped()) return;
  submit(100);
  running(2);
  ASSERT_TRUE(trains());
  cluster_->call({"scancel", "1_1"});
  EXPECT_TRUE(comes_true([this] { return cluster_->jobs().size() == 1; }));
  ASSERT_TRUE(trains());
  cluster_->call({"scancel", "1"});
  EXPECT_TRUE(ended());
  const Ran again = submit();
  EXPECT_NE(again.out.find(" submitted, 2 array tasks of job "), std::string::npos) << again.out;
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
}

TEST_F(RealSlurm, ADrainedNodeAndOneThatFailsAreLeft) {
  start(3, "time = \"10m\"\nelements = 3\n");
  if (IsSkipped()) return;
  cluster_->call({"scontrol", "update", "NodeName=n0", "State=DRAIN", "Reason=test"});
  submit(200);
  running(2);
  ASSERT_TRUE(trains());
  const auto why = [this] { return sweep_->lcsm({"status", sweep_->file().string()}).out; };
  EXPECT_NE(why().find("Mine"), std::string::npos);
  cluster_->call({"scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=test"});
  EXPECT_TRUE(ended());
  expect_the_wanted_results();
  for (const char* node : {"n0", "n1"})
    cluster_->call({"scontrol", "update", std::string("NodeName=") + node, "State=RESUME"});
}

TEST_F(RealSlurm, ARefusalIsASentenceAndLeavesNothing) {
  start(1, "time = \"10m\"\npartition = \"gpu\"\n", "20");
  if (IsSkipped()) return;
  const Ran ran = submit();
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("set 'partition' of the profile to one that `sinfo -s` lists"),
            std::string::npos)
      << ran.err;
  EXPECT_TRUE(fs::is_empty(sweep_->workspace() / "submissions"));
  EXPECT_TRUE(cluster_->idle());
}

}  // namespace
}  // namespace runner
