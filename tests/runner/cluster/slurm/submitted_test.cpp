#include "runner/cluster/slurm/submitted.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "runner/cluster/submission/submission.h"
#include "runner/workspace/folder.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const Submitted kSample{
    "q-1a", "q", "gpu", {{3, "12"}, {2, ""}}, "ada@abacus", "2026-01-31T12:00:00Z"};

TEST(Submitted, IsReadAsItWasWritten) {
  const ScratchFolder folder;
  fs::create_directories(submission_folder(folder.path(), "q-1a"));
  write_submitted(folder.path(), kSample);
  const auto all = read_submitted(folder.path());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].token, "q-1a");
  EXPECT_EQ(all[0].arrays.at(0).job, "12");
  EXPECT_FALSE(all[0].complete());
  EXPECT_TRUE(read_submitted(folder.path() / "nowhere").empty());
}

TEST(Submitted, DamageIsNamed) {
  const ScratchFolder folder;
  const fs::path one = submission_folder(folder.path(), "q-1a");
  fs::create_directories(one);
  std::ofstream(one / "jobs.json") << "{}";
  EXPECT_THROW(read_submitted(folder.path()), std::runtime_error);
  std::ofstream(one / "runs.jsonl") << "{\"id\": 3}\n";
  EXPECT_THROW(submitted_runs(folder.path(), "q-1a"), std::runtime_error);
}

TEST(Submitted, ElementsAreCountedAsTheQueueShowsThem) {
  const auto rows = parse_squeue(
      "12_[2]|PENDING|AssocGrpGRES||N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n"
      "12_0|RUNNING|None|n7|N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n"
      "12_1|COMPLETED|None|n8|N/A|phys|normal|lcsm-q-1a-0|lcsm:q-1a:0\n"
      "13_0|BEWITCHED|None|n8|N/A|phys|normal|lcsm-q-1a-1|\n"
      "14_0|RUNNING|None|n8|N/A|phys|normal|other|other\n");
  const ElementCounts counts = elements_of(rows, kSample);
  EXPECT_EQ(counts.waiting, 1);
  EXPECT_EQ(counts.running, 1);
  EXPECT_EQ(counts.unknown, 1);
  EXPECT_EQ(counts.jobs, (std::vector<std::string>{"12", "13"}));
  EXPECT_EQ(counts.reason, "AssocGrpGRES");
}

TEST(Submitted, ALostJobIsFoundByItsCommentOrItsName) {
  for (const char* row : {"13_[0-1]|PENDING|None||N/A|a|q|other|lcsm:q-1a:1\n",
                          "13_1|RUNNING|None|n1|N/A|a|q|lcsm-q-1a-1|rewritten\n"}) {
    Submitted submitted = kSample;
    EXPECT_TRUE(find_jobs(parse_squeue(row), &submitted));
    EXPECT_EQ(submitted.arrays[1].job, "13") << row;
    EXPECT_FALSE(find_jobs(parse_squeue(row), &submitted));
  }
}

TEST(Submitted, ElementsThatLeftNothingAreSeen) {
  const ScratchFolder folder;
  const fs::path one = submission_folder(folder.path(), "q-1a");
  fs::create_directories(one);
  Submitted submitted = kSample;
  submitted.arrays = {{3, "12"}};
  const auto waiting = parse_squeue("12_[0-2]|PENDING|None||N/A|a|q|lcsm-q-1a-0|\n");
  EXPECT_FALSE(left_nothing(folder.path(), waiting, submitted));
  EXPECT_TRUE(left_nothing(folder.path(), {}, submitted));
  submitted.arrays.push_back({1, ""});
  EXPECT_FALSE(left_nothing(folder.path(), {}, submitted)) << "an array is still to be found";
  submitted.arrays.pop_back();
  std::ofstream(one / "12_0.log") << "";
  EXPECT_FALSE(left_nothing(folder.path(), {}, submitted));
}

// The controller has lost its newest jobs, so another job has the number.
TEST(Submitted, AJobThatHasItsNumberIsAnother) {
  const auto rows = parse_squeue("12_0|RUNNING|None|n7|N/A|phys|normal|mine|\n");
  EXPECT_EQ(elements_of(rows, kSample).alive(), 0);
  const auto named = parse_squeue("99_0|RUNNING|None|n7|N/A|phys|normal|lcsm-q-1a-0|\n");
  EXPECT_EQ(elements_of(named, kSample).alive(), 0) << "its array has job 12";
}

}  // namespace
}  // namespace runner
