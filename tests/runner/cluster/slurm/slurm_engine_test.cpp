// `lcsm run --on slurm` with a fake Slurm.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "runner/cluster/slurm/cluster_cost.h"
#include "runner/cluster/slurm/submitted.h"
#include "runner/cluster/submission/submission.h"
#include "runner/workspace/folder.h"
#include "tests/runner/cluster/slurm/fake_slurm.h"
#include "tests/runner/fake_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

class RunSlurm : public testing::Test {
 protected:
  void SetUp() override {
    if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
    profile("[small]\ntime = \"10m\"\nelements = 2\n[large]\ntime = \"4h\"\n");
  }
  void profile(const std::string& text) const {
    std::ofstream(sweep_.folder() / "slurm.toml") << text;
  }
  Ran run(Words more = {"--profile", "small"}) const {
    more.insert(more.begin(), {"--on", "slurm"});
    return sweep_.run(more, slurm_.environment());
  }

  Ran verb(Words words) const {
    words.insert(words.begin(), program_beside("lcsm").string());
    words.insert(words.end(), {"--workspace", sweep_.workspace().string()});
    return run_program(words, slurm_.environment());
  }

  FakeSlurm slurm_;
  FakeSweep sweep_{"1, 20, 21"};
};

TEST_F(RunSlurm, SubmitsOnceAndEnds) {
  const Ran first = run();
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_EQ(first.out, "mine: 3 runs submitted, 2 array tasks of job 101 (profile small)\n");
  const Ran again = run();
  EXPECT_EQ(again.out, "mine: nothing to submit, 0 done, 0 failed, 3 left of 3\n");
  EXPECT_NE(again.err.find("job 101 in the queue: 0 running, 2 pending: it is next to start"),
            std::string::npos)
      << again.err;
  EXPECT_EQ(run({"--profile", "small", "--dry-run"}).out, "# mine: nothing to submit\n");
  EXPECT_EQ(slurm_.calls_of("sbatch"), 1U);
}

TEST_F(RunSlurm, HandsTheProfilesRulesAndTheRunsToTheWorkers) {
  profile("[small]\ntime = \"10m\"\nelements = 2\nwarning = \"3m\"\nsilence = \"5m\"\n");
  EXPECT_EQ(run().status, 0);
  const std::string token = read_submitted(sweep_.workspace()).at(0).token;
  const Submission submission = read_submission(submission_folder(sweep_.workspace(), token));
  EXPECT_EQ(submission.rules.warning, 180);
  EXPECT_EQ(submission.rules.silence, 300);
  ASSERT_EQ(submission.runs.size(), 3U);
  for (const SubmittedRun& each : submission.runs) {
    EXPECT_GT(each.seconds, 0);
    EXPECT_GT(each.memory_bytes, each.disk_bytes) << each.disk_bytes;
    EXPECT_GT(each.disk_bytes, 0);
  }
}

// liblcsm_cuda.so lies beside lcsm-train, which opens it only on a GPU.
TEST_F(RunSlurm, WorkersOnGpusGetTheLibraryOfCuda) {
  const fs::path own = sweep_.folder() / "own";
  fs::create_directory(own);
  fs::copy(program_beside("fake_train"), own / "lcsm-train");
  std::ofstream(own / "liblcsm_cuda.so") << "CUDA";
  const auto libraries = [&](const std::string& keys) {
    fs::remove_all(sweep_.workspace());
    profile("[gpu]\ntime = \"10m\"\n" + keys);
    Words words = sweep_.run_words({"--on", "slurm"});
    *std::ranges::find(words, program_beside("fake_train").string()) = own / "lcsm-train";
    const Ran ran = run_program(words, slurm_.environment());
    EXPECT_EQ(ran.status, 0) << ran.err;
    const std::string token = read_submitted(sweep_.workspace()).at(0).token;
    const Submission given = read_submission(submission_folder(sweep_.workspace(), token));
    slurm_.forget_jobs();
    return std::pair(
        given.rules.runs_per_gpu,
        fs::exists(sweep_.workspace() / kFrozenFolder / given.program / "lib" / "liblcsm_cuda.so"));
  };
  EXPECT_EQ(libraries(""), std::pair(std::int64_t{1}, false));
  EXPECT_EQ(libraries("gpus = \"2\"\nruns-per-gpu = 3\n"), std::pair(std::int64_t{3}, true));
  EXPECT_EQ(libraries("extra = [\"--gpus-per-node=2\"]\n"), std::pair(std::int64_t{1}, true));
}

TEST_F(RunSlurm, ADryRunPrintsAndLeavesNothing) {
  const Ran ran = run({"--profile", "small", "--dry-run"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("sbatch --parsable --array=0-1 "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("lcsm element "), std::string::npos);
  EXPECT_FALSE(fs::exists(sweep_.workspace()));
  EXPECT_FALSE(fs::exists(slurm_.folder() / "calls"));
}

TEST_F(RunSlurm, RefusesAPathThatSlurmWouldChange) {
  for (const char* name : {"100%j", "back\\slash", "10:30", "a;b", "$ORIGIN"}) {
    Words words = sweep_.run_words({"--on", "slurm", "--profile", "small"});
    const std::string workspace = (sweep_.folder() / name).string();
    *std::ranges::find(words, sweep_.workspace().string()) = workspace;
    const Ran ran = run_program(words, slurm_.environment());
    EXPECT_EQ(ran.status, 2) << ran.out << ran.err;
    EXPECT_NE(ran.err.find("got '" + workspace + "': choose another one"), std::string::npos)
        << ran.err;
    EXPECT_FALSE(fs::exists(slurm_.folder() / "calls"));
  }
}

TEST_F(RunSlurm, ADryRunOnThisHostListsTheRuns) {
  const Ran ran = sweep_.run({"--dry-run"});
  EXPECT_NE(ran.out.find("  task.seed = 20\n"), std::string::npos) << ran.out;
  EXPECT_FALSE(fs::exists(sweep_.workspace()));
}

TEST_F(RunSlurm, KilledAfterSbatchItSubmitsNothingTwice) {
  slurm_.after_sbatch("kill -9 $PPID");
  EXPECT_EQ(run().status, 128 + 9);
  slurm_.after_sbatch("");
  EXPECT_EQ(run().status, 0);
  EXPECT_EQ(slurm_.calls_of("sbatch"), 1U);
}

// The frozen programs and the rules are those of the profile: without GPUs there are no libraries
// of CUDA.
TEST_F(RunSlurm, WhatWasNeverSubmittedFollowsTheNewProfile) {
  slurm_.after_sbatch("sed -i '$d' \"$here/jobs\"; echo 'Socket timed out' >&2; exit 1");
  EXPECT_EQ(run().status, 1);
  slurm_.after_sbatch("");
  profile("[small]\ntime = \"4h\"\nelements = 1\nwarning = \"30m\"\n");
  const Ran ran = run();
  EXPECT_EQ(ran.out, "mine: 3 runs submitted, 1 array task of job 101 (profile small)\n")
      << ran.err;
  const auto submitted = read_submitted(sweep_.workspace());
  ASSERT_EQ(submitted.size(), 1U);
  EXPECT_EQ(
      read_submission(submission_folder(sweep_.workspace(), submitted[0].token)).rules.warning,
      1800);
}

// sbatch needs no accounting.
TEST_F(RunSlurm, SubmitsWhileAccountingDoesNotAnswer) {
  slurm_.print("scontrol",
               "AccountingStorageType = accounting_storage/slurmdbd\n"
               "MaxArraySize = 1001\nMaxJobCount = 10000\n");
  slurm_.fail("sacctmgr",
              "sacctmgr: error: slurm_persist_conn_open_without_init: failed to open "
              "persistent connection to host:db:6819: Connection refused");
  const Ran ran = run();
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(has(ran.err, "slurmdbd, Slurm's accounting, does not answer")) << ran.err;
  EXPECT_EQ(slurm_.calls_of("sbatch"), 1U);
}

TEST_F(RunSlurm, MistakesAreSentences) {
  EXPECT_EQ(run({}).err, "lcsm run: several profiles: choose one of small, large with --profile\n");
  slurm_.fail("sbatch", "sbatch: error: Batch job submission failed: Invalid qos specification");
  const Ran refused = run();
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.err.find("Invalid qos specification: set 'qos'"), std::string::npos);
  slurm_.fail("squeue", "slurm_load_jobs error: Unable to contact slurm controller");
  EXPECT_NE(run().err.find("`scontrol ping`"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(sweep_.workspace() / "submissions"));
  fs::remove(sweep_.folder() / "slurm.toml");
  const Ran none = run();
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("expected a profile of the cluster in one of"), std::string::npos);
}

TEST_F(RunSlurm, AFullDiskIsASentenceAndNothingIsSubmitted) {
  fs::create_directory(sweep_.workspace());
  const std::string at = sweep_.workspace().string();
  if (run_program({"mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", at}).status != 0)
    GTEST_SKIP() << "no file system of a few bytes can be mounted here";
  const Ran ran = run();
  EXPECT_NE(ran.status, 0);
  EXPECT_NE(ran.err.find("No space left on device"), std::string::npos) << ran.err;
  EXPECT_EQ(slurm_.calls_of("sbatch"), 0U);
  run_program({"umount", at});
  EXPECT_EQ(run().status, 0);
}

TEST_F(RunSlurm, WithoutPermissionNothingIsSubmitted) {
  slurm_.fail("sbatch", "sbatch: error: Batch job submission failed: Access/permission denied");
  const Ran ran = run();
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("ask the administrators for access"), std::string::npos) << ran.err;
  EXPECT_TRUE(fs::is_empty(sweep_.workspace() / "submissions"));
}

TEST_F(RunSlurm, NodesThatDoNotSeeTheWorkspaceAreSuspected) {
  run();
  slurm_.forget_jobs();
  const Ran ran = run();
  EXPECT_NE(ran.err.find("a file system that all nodes share"), std::string::npos) << ran.err;
}

TEST_F(RunSlurm, IsSeenFromAnywhere) {
  run();
  EXPECT_NE(verb({"status", sweep_.file().string()})
                .out.find("run by      job 101: 0 running, 2 pending: it is next to start"),
            std::string::npos);
  const Ran why = verb({"why", sweep_.id(20).substr(0, 8)});
  EXPECT_NE(why.out.find("job 101: 2 array tasks are pending: it is next to start"),
            std::string::npos)
      << why.out << why.err;
  EXPECT_NE(why.out.find("it will be started"), std::string::npos);
  const Ran cancelled = verb({"cancel", sweep_.file().string()});
  EXPECT_NE(cancelled.err.find("job 101: pending array tasks cancelled"), std::string::npos)
      << cancelled.err;
}

TEST_F(RunSlurm, ThePlanNamesJobsAndCost) {
  profile("[gpu]\ntime = \"4h\"\ngpus = \"a100:2\"\ncpus = 8\n");
  const Words words = {"plan", sweep_.file().string(), "--on", "slurm"};
  const Ran ran = verb(words);
  EXPECT_NE(
      ran.out.find("cluster     profile gpu: 2 array tasks in 1 job array, 2 runs at a time in "
                   "each, at most 4 h per turn\ncost "),
      std::string::npos)
      << ran.out << ran.err;
  EXPECT_NE(ran.out.find(" GPU hours\n"), std::string::npos);
  EXPECT_EQ(slurm_.calls_of("sbatch"), 0U);
  slurm_.fail("scontrol", "slurm_load_ctl_conf error: Unable to contact slurm controller");
  EXPECT_NE(verb(words).out.find("limits      unknown: scontrol: "), std::string::npos);
}

// By hand: eight hours of work, four runs at a time on two GPUs and eight cores.
TEST(ClusterCost, IsOfTheRunsThatRemain) {
  const FakeSlurm slurm;
  SweepPlan plan;
  plan.runs.resize(7);
  plan.runs[3].state = results::RunState::kDone;
  plan.seconds = 8 * 3600;
  SlurmProfile profile;
  profile.gpus = "a100:2";
  profile.cpus = 8;
  profile.runs_per_gpu = 2;
  profile.elements = 10;
  const auto cost = cost_on_cluster(plan, profile, 0).json;
  EXPECT_EQ(cost["runs"], 6);
  EXPECT_EQ(cost["at_once"], 4);
  EXPECT_EQ(cost["arrays"], nlohmann::ordered_json({2}));
  EXPECT_DOUBLE_EQ(cost["element_hours"], 2);
  EXPECT_DOUBLE_EQ(cost["gpu_hours"], 4);
  EXPECT_DOUBLE_EQ(cost["cpu_hours"], 16);
}

// Sets which call of squeue fails; the jobs end with the call after it.
TEST_F(RunSlurm, WaitsOnWhileSqueueFails) {
  slurm_.script("squeue",
                "[ -s \"$here/jobs\" ] || exit 0\n"
                "echo >> \"$here/seen\"\n"
                "case $(wc -l < \"$here/seen\") in\n"
                "  1) cat \"$here/jobs\" ;;\n"
                "  2) echo 'slurm_load_jobs error: Socket timed out on send/recv operation' >&2\n"
                "    exit 1 ;;\n"
                "esac");
  const Ran ran = run({"--profile", "small", "--wait"});
  EXPECT_TRUE(has(ran.err, "Socket timed out on send/recv operation: slurmctld is slow"))
      << ran.err;
  EXPECT_TRUE(has(ran.out, "mine: 0 done, 0 failed, 3 left of 3\n")) << ran.out;
  EXPECT_EQ(slurm_.calls_of("squeue"), 4U) << "before, then pending, failed and ended";
}

TEST_F(RunSlurm, WaitsUntilTheJobsHaveEnded) {
  slurm_.script("squeue",
                "[ -e \"$here/seen\" ] && exit; [ -s \"$here/jobs\" ] && : > "
                "\"$here/seen\"; cat \"$here/jobs\"");
  const Ran ran = run({"--profile", "small", "--wait"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("mine: 0 done, 0 failed, 3 left of 3\n"), std::string::npos) << ran.out;
  EXPECT_EQ(slurm_.calls_of("squeue"), 3U) << "before, while they wait, and after";
}

}  // namespace
}  // namespace runner
