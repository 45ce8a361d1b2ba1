#include "runner/cluster/slurm/batch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

SlurmProfile profile(const std::string& gpus, std::int64_t cpus, std::int64_t each) {
  SlurmProfile made;
  made.time = 3600;
  made.cpus = cpus;
  made.gpus = gpus;
  made.runs_per_gpu = each;
  return made;
}

TEST(Batch, AnElementTrainsByItsGpusOrCpus) {
  EXPECT_EQ(runs_at_once(profile("", 4, 1), 0), 4);
  EXPECT_EQ(runs_at_once(profile("", 4, 1), 2), 2);
  EXPECT_EQ(runs_at_once(profile("1", 8, 3), 0), 3);
  EXPECT_EQ(runs_at_once(profile("a100:2", 8, 3), 0), 6);
  EXPECT_EQ(runs_at_once(profile("a100", 8, 1), 0), 1);
}

TEST(Batch, NoElementIsLeftWithoutARun) {
  const SlurmProfile eight = profile("", 1, 1);
  EXPECT_EQ(elements_for(eight, 10'000, 1), 8);
  EXPECT_EQ(elements_for(eight, 3, 1), 3);
  EXPECT_EQ(elements_for(eight, 9, 4), 3);
  EXPECT_EQ(elements_for(eight, 1, 64), 1);
}

TEST(Batch, ANodeWithoutTheWorkspaceSaysSo) {
  const Submission submission{.token = "q-1a", .program = "cafe", .mark = {"q", "", ""}};
  const Ran ran = run_program({"sh", "-c", element_script("/no such/w", submission)});
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("expected /no such/w/frozen/cafe/lcsm on "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("a file system that all nodes share"), std::string::npos);
}

TEST(Batch, AnArrayIsFoundByItsCommentAndName) {
  const auto options = array_options(profile("", 1, 1), "/w", "q-1a", 2, 40);
  for (const char* option : {"--array=0-39", "--comment=lcsm:q-1a:2", "--job-name=lcsm-q-1a-2",
                             "--requeue", "--output=/w/submissions/q-1a/%A_%a.log"})
    EXPECT_NE(std::ranges::find(options, option), options.end()) << option;
}

TEST(Batch, TheScriptBecomesTheFrozenProgram) {
  const ScratchFolder folder;
  const std::filesystem::path workspace = folder.path() / "it's a workspace";
  const Submission submission{.token = "q-1a", .program = "cafe", .mark = {}};
  std::filesystem::create_directories(workspace / "frozen/cafe");
  std::filesystem::create_symlink("/bin/echo", workspace / "frozen/cafe/lcsm");
  EXPECT_EQ(run_program({"sh", "-c", element_script(workspace, submission)}).out,
            "element " + (workspace / "submissions/q-1a").string() + "\n");
}

}  // namespace
}  // namespace runner
