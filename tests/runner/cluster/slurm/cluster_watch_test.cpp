#include "runner/cluster/slurm/cluster_watch.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "runner/cluster/slurm/recent_jobs.h"
#include "runner/cluster/slurm/submit.h"
#include "tests/runner/cluster/slurm/fake_slurm.h"

namespace runner {
namespace {

const std::string kClusterWatchRun(32, 'a');

class WatchedCluster : public testing::Test {
 protected:
  void submit_one() const {
    const Submission submission{.token = "q-1a",
                                .program = "cafe",
                                .mark = {"q", "", ""},
                                .runs = {{kClusterWatchRun, "seed = 1", "seed = 1\n"}}};
    submit(folder_.path(), submission, {}, {3}, [](const std::string&) {});
  }
  void show(const std::string& listing) const {
    slurm_.print("squeue", listing);
    forget_recent_jobs(folder_.path());
  }
  std::string text() const { return ClusterWatch(folder_.path()).text(0); }

  FakeSlurm slurm_;
  ScratchFolder folder_;
};

TEST_F(WatchedCluster, SlurmIsNotAskedWhereNothingWasSubmitted) {
  EXPECT_EQ(text(), "");
  EXPECT_TRUE(why_it_waits(folder_.path(), kClusterWatchRun).empty());
  EXPECT_FALSE(std::filesystem::exists(slurm_.folder() / "calls"));
}

TEST_F(WatchedCluster, SaysWhatElementsDo) {
  submit_one();
  show(
      "101_[2]|PENDING|AssocGrpGRES||N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n"
      "101_0|RUNNING|None|n1|N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n");
  EXPECT_EQ(text(), "job 101: 1 running, 1 pending: the account's limit of GPUs is reached");
  show("101_0|COMPLETED|None|n1|N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n");
  EXPECT_EQ(text(), "");
}

TEST_F(WatchedCluster, SaysWhatAnArrayOf3000Does) {
  submit_one();
  std::string listing =
      "101_[1000-2999%1000]|PENDING|JobArrayTaskLimit||N/A|a|q|lcsm-q-1a-0|lcsm:q-1a:0\n";
  for (int i = 0; i < 1000; ++i)
    listing += "101_" + std::to_string(i) + (i < 10 ? "|PREEMPTED" : "|RUNNING") +
               "|None|n1|N/A|a|q|lcsm-q-1a-0|lcsm:q-1a:0\n";
  listing += "101_[0-9]|PENDING|BeginTime||N/A|a|q|lcsm-q-1a-0|lcsm:q-1a:0\n";
  show(listing);
  EXPECT_EQ(
      text(),
      "job 101: 990 running, 2010 pending: its start time is in the future: Slurm waits after a "
      "requeue");
}

TEST_F(WatchedCluster, AsksForTheLimitThatKeepsARunWaiting) {
  submit_one();
  show("101_[0-2]|PENDING|AssocGrpGRES||2026-11-25T08:00:00|phys|normal|n|lcsm:q-1a:0\n");
  slurm_.print("scontrol",
               "AccountingStorageType = accounting_storage/slurmdbd\nMaxArraySize = 9\n");
  slurm_.script("sacctmgr", "case $* in *assoc*) echo 'phys|||5000|gres/gpu=4|';; esac");
  const auto why = why_it_waits(folder_.path(), kClusterWatchRun);
  ASSERT_EQ(why.size(), 2U);
  EXPECT_EQ(why[0], "job 101: 3 array tasks are pending: the account's limit of 4 GPUs is reached");
  EXPECT_EQ(why[1], "Slurm expects the next to start at 2026-11-25T08:00:00");
  EXPECT_TRUE(why_it_waits(folder_.path(), std::string(32, 'b')).empty());
}

TEST_F(WatchedCluster, SaysThatAJobWillNeverStart) {
  submit_one();
  show("101_[0-2]|PENDING|PartitionTimeLimit||N/A|a|q|n|lcsm:q-1a:0\n");
  const auto why = why_it_waits(folder_.path(), kClusterWatchRun);
  ASSERT_EQ(why.size(), 2U);
  EXPECT_NE(why[0].find("longer than the partition allows"), std::string::npos);
  EXPECT_NE(why[1].find("it cannot start"), std::string::npos);
}

TEST_F(WatchedCluster, AControllerThatIsDownIsSaidAndAMissingSlurmIsNot) {
  submit_one();
  slurm_.fail("squeue", "slurm_load_jobs error: Unable to contact slurm controller");
  EXPECT_NE(text().find("a cluster that does not respond: squeue: Unable to contact"),
            std::string::npos);
  std::filesystem::remove(slurm_.folder() / "bin/squeue");
  const std::string path = std::getenv("PATH");
  setenv("PATH", (slurm_.folder() / "bin").c_str(), 1);
  EXPECT_EQ(text(), "");
  setenv("PATH", path.c_str(), 1);
}

TEST_F(WatchedCluster, ElementsWithoutARunLeaveTheQueue) {
  submit_one();
  EXPECT_TRUE(release_jobs(folder_.path(), {}).empty());
  EXPECT_EQ(release_jobs(folder_.path(), {kClusterWatchRun}), std::vector<std::string>{"101"});
  EXPECT_NE(slurm_.calls().find("scancel --state=PENDING 101\n"), std::string::npos);
}

}  // namespace
}  // namespace runner
