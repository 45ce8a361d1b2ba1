#include "runner/cluster/slurm/job_rows.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

using Tasks = std::vector<std::int64_t>;

Tasks tasks(const std::string& text) {
  const auto id = parse_job_id(text);
  return id ? id->tasks : Tasks{-1};
}

TEST(JobId, ReadsArraysInEverySpelling) {
  EXPECT_EQ(tasks("123_4"), Tasks{4});
  EXPECT_EQ(tasks("123_[0-3%8]"), (Tasks{0, 1, 2, 3}));
  EXPECT_EQ(tasks("123_[1,4-6]"), (Tasks{1, 4, 5, 6}));
  EXPECT_EQ(tasks("123_[0-9:3,20%2]"), (Tasks{0, 3, 6, 9, 20}));
  EXPECT_EQ(tasks("123_[7]"), Tasks{7});
  EXPECT_EQ(tasks("5_[1,3,5,...]"), (Tasks{1, 3, 5}));
  EXPECT_EQ(tasks("123_[0-2999%50]").size(), 3000U);
  EXPECT_EQ(parse_job_id("123_[0-2999%50]")->job, "123");
}

TEST(JobId, ReadsJobsThatAreNoArrays) {
  EXPECT_FALSE(parse_job_id("123")->is_array);
  EXPECT_EQ(parse_job_id("123+1")->job, "123");
}

TEST(JobId, RefusesOtherText) {
  for (const char* text : {"", "123.batch", "x", "12_", "12_[", "12_[a]", "12_[3-1]", "-1",
                           "1_[0-9999999]", "12_[0-9:0]", "slurm_load_jobs error"})
    EXPECT_FALSE(parse_job_id(text)) << text;
}

TEST(JobId, FindsTheNumberOfANewJob) {
  EXPECT_EQ(submitted_job("123\n"), "123");
  EXPECT_EQ(submitted_job("123;north\n"), "123");
  EXPECT_EQ(submitted_job("Welcome to the cluster\r\nYou have 3 jobs\n77;north\r\n"), "77");
  EXPECT_EQ(submitted_job("3\n77\n"), "77") << "what sbatch prints last";
  EXPECT_FALSE(submitted_job(""));
  EXPECT_FALSE(submitted_job("sbatch: no\n"));
}

TEST(JobState, IsReadInEverySpelling) {
  for (const char* text : {"CANCELLED", "CA", "CANCELLED by 1000", "CANCELLED+", "CANCEL+",
                           "cancelled", "CANCELLED,COMPLETING"})
    EXPECT_EQ(job_state(text).name, "CANCELLED") << text;
  for (const char* text : {"OUT_OF_MEMORY", "OOM", "OUT_OF_ME+"})
    EXPECT_EQ(job_state(text).name, "OUT_OF_MEMORY") << text;
  EXPECT_EQ(job_state("R").name, "RUNNING");
  EXPECT_EQ(job_state("REQUEUE_HOLD").letters, "RH");
}

TEST(JobState, SaysWhetherTheJobHasEnded) {
  for (const char* text : {"PD", "CONFIGURING", "REQUEUED", "SPECIAL_EXIT"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kWaiting) << text;
  for (const char* text : {"R", "COMPLETING", "SUSPENDED"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kRunning) << text;
  for (const char* text : {"TO", "NODE_FAIL", "PREEMPTED", "COMPLETED", "BOOT_FAIL", "DEADLINE"})
    EXPECT_EQ(job_state(text).phase, JobPhase::kEnded) << text;
}

TEST(JobState, AnUnknownOneIsNotTakenForAnEnd) {
  for (const char* text : {"", "HIBERNATED", "C+", "COMP+", "+", " "})
    EXPECT_EQ(job_state(text).phase, JobPhase::kUnclear) << text;
}

TEST(JobRows, OfSqueue22) {
  const auto rows = parse_squeue(
      "1_[2-40%8]|PENDING|Resources||N/A|(null)|(null)|lcsm-q|lcsm:ab12:0\n"
      "1_0|RUNNING|None|n0|2026-11-24T19:30:48|phys|normal|lcsm-q|lcsm:ab12:0\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id.tasks.size(), 39U);
  EXPECT_EQ(rows[0].state->phase, JobPhase::kWaiting);
  EXPECT_EQ(rows[0].reason, "Resources");
  EXPECT_EQ(rows[0].start, "");
  EXPECT_EQ(rows[1].node, "n0");
  EXPECT_EQ(rows[1].account, "phys");
  EXPECT_EQ(rows[1].comment, "lcsm:ab12:0");
}

TEST(JobRows, OfSacct) {
  const auto rows = parse_sacct(
      "7_3|CANCELLED by 1000|n[1-2]|2026-11-24T19:30:48|phys|normal|lcsm-q|\n"
      "7_[4-9%2]|PENDING|None assigned|Unknown|phys|normal|lcsm-q|lcsm:ab12:0\n"
      "7_3.batch|CANCELLED|n1|2026-11-24T19:30:48|phys||batch|\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].state->name, "CANCELLED");
  EXPECT_EQ(rows[1].node, "");
  EXPECT_EQ(rows[1].comment, "lcsm:ab12:0");
}

// Listings of Slurm 17.11 to 24.11, as manuals and users show them: longer names of states, jobs of
// a federation, of several clusters, and in several parts.
TEST(JobRows, OfOtherVersions) {
  const auto rows = parse_squeue(
      "CLUSTER: north\n"
      "67108869_[0-9%4]|PENDING|AssocGrpGRES||N/A|phys|normal|lcsm-q|lcsm:ab12:0\n"
      "7_0|STAGE_OUT|BurstBufferStageOut|n0|2026-11-24T19:30:48|phys|normal|lcsm-q|c\n"
      "8+0|RUNNING|None|n0|2026-11-24T19:30:48|phys|normal|lcsm-q|c\n"
      "9_1|PREEMPTED|BeginTime|n0|2026-11-24T19:30:48|phys|normal|lcsm-q|c\n"
      "9_2|REQUEUE_FED|None||Unknown|phys|normal|lcsm-q|c\n");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].id.job, "67108869");
  EXPECT_EQ(rows[1].state->phase, JobPhase::kRunning);
  EXPECT_EQ(rows[2].id.job, "8");
  EXPECT_EQ(rows[3].state->phase, JobPhase::kEnded);
  EXPECT_EQ(rows[4].state->phase, JobPhase::kWaiting);
  EXPECT_EQ(rows[4].start, "");
}

TEST(JobRows, OfSacctOfOtherVersions) {
  const auto rows = parse_sacct(
      "7_0|PREEMPTED|n1|2026-11-24T19:30:48|phys|normal|lcsm-q|lcsm:ab12:0\n"
      "7_0.extern|COMPLETED|n1|2026-11-24T19:30:48|phys||extern|\n"
      "7_1|CANCELLED+|None assigned|None|phys|normal|lcsm-q|\n"
      "7_2|OUT_OF_ME+|n1|2026-11-24T19:30:48|phys|normal|lcsm-q|\n");
  ASSERT_EQ(rows.size(), 3U);
  for (const JobRow& row : rows) EXPECT_EQ(row.state->phase, JobPhase::kEnded);
  EXPECT_EQ(rows[1].node, "");
}

TEST(JobRows, LeavesOutWhatIsNoJob) {
  EXPECT_TRUE(parse_squeue("").empty());
  EXPECT_TRUE(parse_squeue("squeue: note: maintenance on Monday | see the page\n\n").empty());
  EXPECT_TRUE(parse_squeue("12|PENDING|Priority\n").empty());
}

TEST(JobRows, ACommentMayHaveBars) {
  const auto rows = parse_squeue("12|PD|Priority||N/A|a|q|name|x|y\r\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].comment, "x|y");
}

TEST(JobRows, OfAnArrayOf3000) {
  std::string text = "9_[1000-2999%1000]|PENDING|JobArrayTaskLimit||N/A|a|q|n|c\n";
  for (int i = 0; i < 1000; ++i)
    text += "9_" + std::to_string(i) + "|RUNNING|None|n" + std::to_string(i) + "|N/A|a|q|n|c\n";
  std::size_t tasks = 0;
  for (const JobRow& row : parse_squeue(text)) tasks += row.id.tasks.size();
  EXPECT_EQ(tasks, 3000U);
}

}  // namespace
}  // namespace runner
