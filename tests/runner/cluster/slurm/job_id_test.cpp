#include "runner/cluster/slurm/job_id.h"

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
  EXPECT_EQ(tasks("123_[0-2999%50]").size(), 3000U);
  EXPECT_EQ(parse_job_id("123_[0-2999%50]")->job, "123");
}

TEST(JobId, SaysThatAListWasCutOff) {
  const auto id = parse_job_id("5_[1,3,5,...]");
  ASSERT_TRUE(id);
  EXPECT_TRUE(id->cut_off);
  EXPECT_EQ(id->tasks, (Tasks{1, 3, 5}));
  EXPECT_FALSE(parse_job_id("5_[1,3]")->cut_off);
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
  EXPECT_FALSE(submitted_job(""));
  EXPECT_FALSE(submitted_job("sbatch: no\n"));
}

}  // namespace
}  // namespace runner
