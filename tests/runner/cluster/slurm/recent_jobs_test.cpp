#include "runner/cluster/slurm/recent_jobs.h"

#include <gtest/gtest.h>

#include <fstream>

#include "runner/cluster/slurm/commands.h"
#include "tests/runner/cluster/slurm/fake_slurm.h"

namespace runner {
namespace {

class RecentJobs : public testing::Test {
 protected:
  RecentJobs() { std::filesystem::create_directories(folder_.path() / "submissions"); }
  std::size_t look() const { return recent_jobs(folder_.path()).size(); }

  FakeSlurm slurm_;
  ScratchFolder folder_;
};

TEST_F(RecentJobs, ManyLooksAskOnce) {
  submit_job({"--array=0-1", "--job-name=n", "--comment=c"}, "s");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(look(), 1U);
  EXPECT_EQ(slurm_.calls_of("squeue"), 1U);
  submit_job({"--array=0-1", "--job-name=n", "--comment=c"}, "s");
  forget_recent_jobs(folder_.path());
  EXPECT_EQ(look(), 2U);
}

TEST_F(RecentJobs, TheListOfAnotherHostOrOfAnotherTimeIsNotTaken) {
  for (const char* kept : {R"({"host": "another", "time": 4e9, "listing": "7|R|||||||"})",
                           R"({"host": 3})", "[]", "torn {"}) {
    std::ofstream(folder_.path() / "submissions/.queue.json") << kept;
    EXPECT_EQ(look(), 0U) << kept;
  }
}

TEST_F(RecentJobs, AFolderThatCannotBeWrittenIsNoReasonToFail) {
  std::filesystem::remove_all(folder_.path() / "submissions");
  EXPECT_EQ(look(), 0U);
}

}  // namespace
}  // namespace runner
