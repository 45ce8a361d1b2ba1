#include <gtest/gtest.h>

#include <chrono>

#include "results/events/run_folder.h"
#include "runner/workspace/claim.h"
#include "tests/runner/front/lcsm_test.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class PutAwayVerbs : public LcsmTest {
 protected:
  void SetUp() override {
    for (const int seed : {1, 2, 3})
      results::write_run(scratch.path(), {.number = seed, .sweep = "s", .seed = seed});
  }
  std::size_t runs() const { return results::run_ids(scratch.path()).size(); }
};

}  // namespace

TEST_F(PutAwayVerbs, SayWhatTheyWouldDoFirst) {
  for (const char* verb : {"archive", "forget"}) {
    const Ran ran = lcsm({verb, "seed=2"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(has(ran.out, "nothing was changed: use --yes to do it")) << ran.out;
    EXPECT_TRUE(has(ran.out, "00000002  1-1-1-0")) << ran.out;
    EXPECT_TRUE(has(ran.err, "the next `lcsm run` of s trains its points again")) << ran.err;
  }
  EXPECT_EQ(runs(), 3U);
}

TEST_F(PutAwayVerbs, ForgetRemovesRuns) {
  EXPECT_TRUE(has(lcsm({"forget", "seed=2", "--yes"}).out, "1 run, 0.0 MiB removed for good"));
  EXPECT_EQ(lcsm({"query", "SELECT seed FROM overview"}).out, "seed\n   1\n   3\n");
}

TEST_F(PutAwayVerbs, AnIdHasFourDigitsAtLeast) {
  lcsm({"forget", "seed=2", "seed=3", "--yes"});
  const Ran ran = lcsm({"forget", "0", "--yes"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, "expected at least the first 4 digits of a run's id, got '0'"))
      << ran.err;
  EXPECT_EQ(runs(), 1U);
  EXPECT_EQ(lcsm({"forget", "0000", "--yes"}).status, 0);
  EXPECT_EQ(runs(), 0U);
}

// Many points of the built-in sweeps begin with 0.
TEST_F(PutAwayVerbs, PointsWithoutARunAreNotCalledRuns) {
  lcsm({"forget", "seed=1", "seed=2", "seed=3", "--yes"});
  const Ran ran = lcsm({"forget", "0"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(has(ran.err, ", neither of them started")) << ran.err;
}

TEST_F(PutAwayVerbs, ARunWithADamagedMarkGoesToo) {
  const auto mark = [&](int seed) {
    return results::run_folder(scratch.path(), results::run_id(seed)) / "sweeps" / "s.json";
  };
  for (const int seed : {1, 2}) results::write_text(mark(seed), "damaged");
  EXPECT_EQ(lcsm({"forget", "seed=1", "seed=3", "--yes"}).status, 0);
  EXPECT_EQ(lcsm({"archive", "seed=2", "--yes"}).status, 0);
  EXPECT_EQ(runs(), 0U);
}

TEST_F(PutAwayVerbs, AnArchiveIsNotAmongTheRuns) {
  for (const char* place : {"", "runs", "runs/archive"})
    EXPECT_EQ(
        lcsm({"archive", "seed=2", "--yes", "--to", (scratch.path() / place).string()}).status, 2)
        << place;
  EXPECT_EQ(runs(), 3U);
}

TEST_F(PutAwayVerbs, WhatStaysIsNotCounted) {
  const fs::path folder = results::run_folder(scratch.path(), results::run_id(2));
  fs::rename(folder, scratch.path() / "elsewhere");
  fs::create_directory_symlink(scratch.path() / "elsewhere", folder);
  const Ran ran = lcsm({"forget", "seed=1", "seed=2", "--yes"});
  EXPECT_TRUE(fs::exists(scratch.path() / "elsewhere/events.jsonl"));
  EXPECT_NE(ran.status, 0) << ran.out;
}

TEST_F(PutAwayVerbs, AnArchiveIsAWorkspace) {
  const std::string archive = (scratch.path() / "archive").string();
  EXPECT_EQ(lcsm({"archive", "seed=2", "--yes"}).status, 0);
  EXPECT_EQ(runs(), 2U);
  EXPECT_EQ(run_lcsm({"query", "SELECT seed FROM overview", "--workspace", archive}).out,
            "seed\n   2\n");
  EXPECT_EQ(lcsm({"merge", archive}).out, "1 run copied, 0 already here, 0 refused\n");
  EXPECT_EQ(runs(), 3U);
}

TEST_F(PutAwayVerbs, RunsInTrainingStayAndTheOthersGo) {
  results::write_run(scratch.path(), {.number = 4, .seed = 4, .status = "running"});
  const Ran ran = lcsm({"forget", "model.code=1-1-1-0", "--yes"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(has(ran.err, "a process is training the run")) << ran.err;
  EXPECT_TRUE(has(ran.out, "3 of 4 runs")) << ran.out;
  EXPECT_EQ(runs(), 1U);
  results::write_run(scratch.path(), {.number = 5, .sweep = "s", .seed = 5, .status = "running"});
  const Ran none = lcsm({"forget", "seed=5", "--yes"});
  EXPECT_TRUE(has(none.out, "0 of 1 run")) << none.out;
  EXPECT_FALSE(has(none.err, "trains its points again")) << none.err;
}

// A workspace that is copied from a host whose processes were killed has such claims.
TEST_F(PutAwayVerbs, AClaimOfAnotherHostHoldsARunUntilItIsDoneOrTheClaimIsRemoved) {
  results::write_run(scratch.path(), {.number = 4, .seed = 4, .status = "interrupted"});
  ClaimOwner other = this_owner();
  other.node = "another";
  const auto folder = [&](int n) {
    return results::run_folder(scratch.path(), results::run_id(n));
  };
  for (const int n : {2, 4}) ASSERT_TRUE(make_claim(folder(n), {.owner = other}, true, 0));
  EXPECT_EQ(lcsm({"forget", "seed=2", "--yes"}).status, 0);
  const std::string who = other.text();
  EXPECT_TRUE(has(lcsm({"why", "seed=4"}).out, who + " is training it"));
  fs::last_write_time(folder(4) / "claims/1", fs::file_time_type::clock::now() - 1h);
  EXPECT_TRUE(has(lcsm({"why", "seed=4"}).out, "it is claimed by " + who));
  const Ran kept = lcsm({"archive", "seed=4", "--yes"});
  EXPECT_TRUE(has(kept.err, ": if it has ended, remove " + (folder(4) / "claims/1").string()))
      << kept.err;
  fs::remove(folder(4) / "claims/1");
  EXPECT_EQ(lcsm({"archive", "seed=4", "--yes"}).status, 0);
}

// Another host's process would go on beside the copy, which has no claim.
TEST_F(PutAwayVerbs, AMergeLeavesARunThatAnotherHostMayTrain) {
  const fs::path other = scratch.path() / "other";
  const results::FixtureRun more{
      .number = 4, .seed = 4, .valid = {3, 2, 1}, .status = "interrupted"};
  results::FixtureRun less = more;
  less.valid = {3, 2};
  const fs::path folder = results::write_run(scratch.path(), less);
  results::write_run(other, more);
  ClaimOwner owner = this_owner();
  owner.node = "another";
  ASSERT_TRUE(make_claim(folder, {.owner = owner}, true, 0));
  const Ran kept = lcsm({"merge", other.string()});
  EXPECT_EQ(kept.status, 1);
  EXPECT_TRUE(has(kept.err, folder.string() + " is claimed by " + owner.text() +
                                ": if it has ended, remove " + (folder / "claims/1").string()))
      << kept.err;
  EXPECT_EQ(newest_claim(folder), 1);
  results::write_run(other, {.number = 5, .seed = 5});
  fs::remove(folder / "claims/1");
  EXPECT_EQ(lcsm({"merge", other.string()}).out, "2 runs copied, 0 already here, 0 refused\n");
}

TEST_F(PutAwayVerbs, TheWorkspaceIsNoArchive) {
  EXPECT_EQ(lcsm({"archive", "seed=1", "--to", scratch.path().string(), "--yes"}).status, 2);
  EXPECT_EQ(runs(), 3U);
}

}  // namespace runner
