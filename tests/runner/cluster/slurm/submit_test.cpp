#include "runner/cluster/slurm/submit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "runner/cluster/slurm/commands.h"
#include "runner/cluster/slurm/recent_jobs.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/cluster/slurm/fake_slurm.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const std::string kSubmitRun(32, 'a');

class Submit : public testing::Test {
 protected:
  fs::path workspace() const { return folder_.path(); }
  std::size_t jobs() const {
    const std::string lines = read_file(slurm_.folder() / "jobs");
    return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  }
  // Submits as `lcsm run` does: first the rest of unfinished submissions, then missing runs.
  void run() const {
    ClusterQueue queue = look_at_cluster(workspace(), true);
    const std::set<std::string> left =
        submit_rest(workspace(), profile_, {kSubmitRun}, &queue.submitted, [](const Submitted&) {});
    if (left.contains(kSubmitRun) || queue.runs(workspace()).contains(kSubmitRun)) return;
    const Submission submission{.token = new_token("q"),
                                .program = "cafe",
                                .mark = {"q", "", ""},
                                .runs = {{kSubmitRun, "seed = 1", "seed = 1\n"}}};
    submit(workspace(), submission, profile_, {2, 1},
           [&](const std::string& text) { said_ = text; });
  }

  FakeSlurm slurm_;
  ScratchFolder folder_;
  SlurmProfile profile_;
  mutable std::string said_;
};

TEST_F(Submit, EveryArrayOnce) {
  run();
  EXPECT_EQ(jobs(), 2U);
  EXPECT_EQ(look_at_cluster(workspace()).elements().waiting, 3);
  run();
  EXPECT_EQ(jobs(), 2U);
  slurm_.forget_jobs();  // they have ended, and the run is still to do
  forget_recent_jobs(workspace());
  EXPECT_EQ(look_at_cluster(workspace()).elements().alive(), 0);
  run();
  EXPECT_EQ(jobs(), 2U);
  EXPECT_EQ(look_at_cluster(workspace()).elements().waiting, 3) << "not the queue of before";
}

TEST_F(Submit, KilledAtAnyChange) {
  int n = 0;
  for (bool killed = true; killed;) {
    n += results::kStride;
    fs::remove_all(workspace() / "submissions");
    slurm_.forget_jobs();
    killed = results::killed_at(n, [&] { run(); });
    run();
    EXPECT_EQ(jobs(), 2U) << "killed at change " << n;
    const auto submitted = read_submitted(workspace());
    ASSERT_EQ(submitted.size(), 1U) << n;
    EXPECT_TRUE(submitted[0].complete()) << n;
  }
  EXPECT_GT(n, 8);
}

TEST_F(Submit, AFullDiskAtAnyChangeLeavesNothingHalfSubmitted) {
  for (int n = 1;; n += results::kStride) {
    fs::remove_all(workspace() / "submissions");
    slurm_.forget_jobs();
    const auto ended = results::failing_at(
        n, ENOSPC, /*lasts=*/true,
        [&] {
          try {
            run();
          } catch (const std::exception&) {
            return 1;
          }
          return 0;
        },
        workspace().c_str());
    if (!ended) break;
    const std::size_t begun = jobs();
    EXPECT_TRUE(*ended == 1 || begun == 2) << "nobody is told at change " << n;
    run();
    EXPECT_EQ(jobs(), 2U) << "full at change " << n << ", then " << begun << " jobs";
  }
}

TEST_F(Submit, KilledBetweenSbatchAndTheNoteOfIt) {
  slurm_.after_sbatch("kill -9 $PPID");
  for (std::size_t known = 1; known <= 2; ++known) {
    EXPECT_EXIT(run(), testing::KilledBySignal(SIGKILL), "");
    EXPECT_EQ(jobs(), known);
  }
  run();
  EXPECT_EQ(jobs(), 2U);
  EXPECT_TRUE(read_submitted(workspace()).at(0).complete());
}

TEST_F(Submit, ALostJobThatHasEndedIsFoundInAccounting) {
  slurm_.after_sbatch("kill -9 $PPID");
  EXPECT_EXIT(run(), testing::KilledBySignal(SIGKILL), "");
  slurm_.after_sbatch("");
  slurm_.script("squeue", ":");
  const std::string token = read_submitted(workspace()).at(0).token;
  slurm_.script("sacct", "case $* in *-0) echo '101_0|COMPLETED|n1|Unknown|a|q|lcsm-" + token +
                             "-0|';; esac");
  look_at_cluster(workspace(), true);
  EXPECT_EQ(read_submitted(workspace()).at(0).arrays[0].job, "101");
  EXPECT_EQ(read_submitted(workspace()).at(0).arrays[1].job, "");
}

TEST_F(Submit, ARefusalLeavesNothing) {
  slurm_.fail("sbatch", "sbatch: error: Batch job submission failed: Invalid qos specification");
  EXPECT_THROW(run(), SlurmError);
  EXPECT_TRUE(fs::is_empty(workspace() / "submissions"));
}

TEST_F(Submit, ALaterRefusalIsSaidAndTheRestIsKept) {
  slurm_.after_sbatch(
      "[ $number = 102 ] && { sed -i '$d' \"$here/jobs\"; echo AssocMaxSubmitJobLimit "
      ">&2; exit 1; }");
  run();
  EXPECT_NE(said_.find("lower 'elements'"), std::string::npos) << said_;
  EXPECT_EQ(read_submitted(workspace()).at(0).arrays.size(), 1U);
  run();
  EXPECT_EQ(jobs(), 1U);
}

TEST_F(Submit, AnAnswerThatWasLostIsLookedFor) {
  for (const std::string job : {"101", "102"}) {
    fs::remove_all(workspace() / "submissions");
    slurm_.forget_jobs();
    slurm_.after_sbatch("[ $number = " + job +
                        " ] && { echo 'Socket timed out on send/recv operation' >&2; exit 1; }");
    EXPECT_THROW(run(), SlurmError) << job;
    slurm_.after_sbatch("");
    run();
    EXPECT_EQ(jobs(), 2U) << job;
    EXPECT_EQ(read_submitted(workspace()).at(0).arrays.at(1).job, "102");
  }
}

// A job in a state that a newer Slurm has may still train.
TEST(ClusterElements, AreThoseOfAllSubmissions) {
  ClusterQueue queue;
  const auto add = [&](const std::string& token, const char* job, const char* state) {
    queue.submitted.push_back({token, "q", "", {{5, token}}, "", ""});
    JobRow& row = queue.rows.emplace_back();
    row.id = *parse_job_id(job);
    row.state = &job_state(state);
    row.comment = "lcsm:" + token + ":0";
    row.reason = std::string(state) == "PENDING" ? "Priority" : "";
  };
  add("1", "1_[0-4]", "PENDING");
  add("2", "2_0", "RUNNING");
  add("3", "3_0", "TELEPORTED");
  add("4", "4_0", "COMPLETED");
  const ElementCounts all = queue.elements();
  EXPECT_EQ(all.waiting, 5);
  EXPECT_EQ(all.running, 1);
  EXPECT_EQ(all.unknown, 1);
  EXPECT_EQ(all.jobs, (Words{"1", "2", "3"}));
  EXPECT_EQ(all.reason, "Priority");
}

TEST_F(Submit, AnotherProgramsFilesStay) {
  fs::create_directories(workspace() / "submissions/notes");
  look_at_cluster(workspace(), true);
  EXPECT_TRUE(fs::exists(workspace() / "submissions/notes"));
}

TEST(ArraysFor, AreCutByEveryLimit) {
  using Sizes = std::vector<std::int64_t>;
  const ClusterConfig config{.array_size = 1001, .array_tasks = 300};
  EXPECT_EQ(arrays_for(3000, {.array_size = 1001}, {}, 0), (Sizes{1000, 1000, 1000}));
  EXPECT_EQ(arrays_for(600, config, {}, 0), (Sizes{300, 300}));
  AccountLimits limits;
  limits.submit = 50;
  EXPECT_EQ(arrays_for(600, config, limits, 10), Sizes{40});
  EXPECT_THROW(arrays_for(600, config, limits, 50), std::invalid_argument);
}

}  // namespace
}  // namespace runner
