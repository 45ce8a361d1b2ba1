#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <set>

#include "lcsm/base/allowance.h"
#include "results/events/event_file.h"
#include "runner/workspace/claim.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

const std::vector<int> kElementWays = {20, 21, 22, 23, 24, 25};
constexpr const char* kWayList = "20, 21, 22, 23, 24, 25";

class ElementTest : public WithPrograms {
 protected:
  static std::string undisturbed() {
    const FakeSweep sweep(kWayList);
    EXPECT_EQ(sweep.run().status, 0);
    return results_of(sweep);
  }

  // Fake Slurm commands that record their calls; `squeue` reports 100 s left.
  static Words in_job(const FakeSweep& sweep, const Words& words,
                      const std::string& left = "1:40") {
    const fs::path folder = sweep.folder() / "slurm";
    fs::create_directory(folder);
    for (const char* name : {"scontrol", "squeue"}) {
      std::ofstream(folder / name)
          << "#!/bin/sh\necho \"$(basename $0) $*\" >> " << folder.string()
          << "/calls\n[ $(basename $0) = scontrol ] || echo " << left << "\n";
      fs::permissions(folder / name, fs::perms::owner_all);
    }
    Words all = {"/usr/bin/env", "PATH=" + folder.string() + ":/usr/bin:/bin",
                 "SLURM_ARRAY_JOB_ID=12", "SLURM_ARRAY_TASK_ID=3"};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  }
  // Rules under which no run is taken for dead, even on a busy machine.
  static ElementRules patient_rules() {
    ElementRules rules = hasty_rules();
    rules.silence = 60;
    return rules;
  }
  static std::string calls(const FakeSweep& sweep) {
    return read_file(sweep.folder() / "slurm" / "calls");
  }
};

TEST_F(ElementTest, TrainsWhatTheLocalSchedulerWould) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays);
  const Ran ran = run_program(submission.element_words(), on_node("a"));
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(results_of(sweep), undisturbed());
  EXPECT_EQ(run_program(submission.element_words(), on_node("b")).status, 0);
  EXPECT_EQ(newest_claim(sweep.folder_of(20)), 1) << "nothing was started again";
  EXPECT_TRUE(fs::exists(submission.folder() / "done" / sweep.id(20)));
}

TEST_F(ElementTest, DividesItsCoresAmongTheRunsThatItIsTold) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays, patient_rules());
  const fs::path trainer = sweep.folder() / "trainer", words = sweep.folder() / "words";
  std::ofstream(trainer) << "#!/bin/sh\necho \"$*\" >> " << words.string() << "\nexec "
                         << program_beside("fake_train").string() << " \"$@\"\n";
  fs::permissions(trainer, fs::perms::owner_all);
  Words command = submission.element_words(trainer.string());
  command.insert(command.end(), {"--jobs", "3"});
  const Ran ran = run_program(command, on_node("a"));
  EXPECT_NE(ran.err.find(", 3 at a time"), std::string::npos) << ran.err;
  const int threads = std::max(1, lcsm::read_allowance().cores() / 3);
  EXPECT_NE(read_file(words).find("--set run.threads=" + std::to_string(threads) + " "),
            std::string::npos)
      << read_file(words);
  const auto claim = read_claim(sweep.folder_of(20), 1);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->silence, patient_rules().silence);
  EXPECT_EQ(claim->beat, patient_rules().beat);
}

TEST_F(ElementTest, TrainsSeveralRunsOnEachGpu) {
  const FakeSweep sweep(kWayList);
  ElementRules rules = patient_rules();
  rules.runs_per_gpu = 3;
  const FakeSubmission submission(sweep, kElementWays, rules);
  const Ran ran =
      run_program(submission.element_words(), on_node("a", {"CUDA_VISIBLE_DEVICES=4,GPU-7"}));
  EXPECT_NE(ran.err.find(", 6 at a time"), std::string::npos) << ran.err;
  EXPECT_EQ(results_of(sweep), undisturbed());
  std::set<std::string> gpus;
  for (const int way : kElementWays) {
    const std::string text = read_file(results::event_file(sweep.folder_of(way)));
    for (const char* gpu : {"\"gpu\":\"4\"", "\"gpu\":\"GPU-7\""})
      if (text.find(gpu) != text.npos) gpus.insert(gpu);
  }
  EXPECT_EQ(gpus.size(), 2U) << "each run sees one GPU";
}

TEST_F(ElementTest, SeveralShareTheRuns) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays, patient_rules());
  {
    std::vector<std::unique_ptr<Background>> elements;
    for (const char* node : {"a", "b", "c"})
      elements.push_back(std::make_unique<Background>(
          submission.element_words(), sweep.folder() / node, on_node(node, {"FAKE_STEP_MS=20"})));
    for (const auto& element : elements) EXPECT_EQ(element->wait(), 0) << element->output();
  }
  EXPECT_EQ(results_of(sweep), undisturbed());
  for (const int way : kElementWays) EXPECT_EQ(newest_claim(sweep.folder_of(way)), 1);
}

TEST_F(ElementTest, ALocalRunFindsItsRunsTaken) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays, patient_rules());
  Background element(submission.element_words(), sweep.folder() / "a",
                     on_node("a", {"FAKE_STEP_MS=20"}));
  const Ran ran = sweep.run({"--jobs", "3"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(element.wait(), 0) << element.output();
  EXPECT_EQ(results_of(sweep), undisturbed());
  const Ran attempts = sweep.lcsm({"query", "SELECT max(attempts) FROM runs", "--format", "csv"});
  EXPECT_NE(attempts.out.find("\n1\n"), std::string::npos) << attempts.out;
}

TEST_F(ElementTest, AtTheWarningItSavesAndIsQueuedAgain) {
  const FakeSweep sweep(kWayList);
  ElementRules rules = patient_rules();
  rules.warning = 10;
  const FakeSubmission submission(sweep, kElementWays, rules);
  Background element(in_job(sweep, submission.element_words()), sweep.folder() / "a",
                     on_node("a", {"FAKE_STEP_MS=1000"}));
  ASSERT_TRUE(comes_true([&] { return fs::exists(sweep.folder_of(20) / "checkpoints" / "2.1"); }));
  kill(element.id(), SIGUSR2);
  EXPECT_EQ(element.wait(), 5) << element.output();
  EXPECT_EQ(calls(sweep), "squeue -h -j 12_3 -o %L\nscontrol requeue 12_3\n");
  EXPECT_EQ(sweep.state(20), "interrupted");
  EXPECT_EQ(run_program(submission.element_words(), on_node("b")).status, 0);
  EXPECT_EQ(results_of(sweep), undisturbed());
}

// scancel and a preemption send it.
TEST_F(ElementTest, SavesIfAllProcessesOfItsJobGetASigterm) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays, patient_rules());
  Background element(submission.element_words(), sweep.folder() / "a",
                     on_node("a", {"FAKE_STEP_MS=1000"}));
  ASSERT_TRUE(comes_true([&] { return fs::exists(sweep.folder_of(20) / "checkpoints" / "2.1"); }));
  for (const pid_t run : children_of(element.id())) kill(run, SIGTERM);
  kill(element.id(), SIGTERM);
  EXPECT_EQ(element.wait(), 5) << element.output();
  EXPECT_EQ(element.output().find("signal"), std::string::npos) << element.output();
  EXPECT_EQ(sweep.state(20), "interrupted");
}

// Run 16 hears no request.
TEST_F(ElementTest, EndsARunAfterItsTimeAndItsGrace) {
  const FakeSweep sweep("16");
  ElementRules rules = patient_rules();
  rules.timeout = rules.grace = 0.3;
  const FakeSubmission submission(sweep, {16}, rules);
  const Ran ran = run_program(submission.element_words(), on_node("a"));
  EXPECT_EQ(ran.status, 5) << ran.err;
  const Ran why = sweep.lcsm({"why", sweep.id(16)});
  EXPECT_NE(why.out.find("timeout after"), std::string::npos) << why.out;
}

TEST_F(ElementTest, UsesTheCoresThatSlurmGaveToIt) {
  const FakeSweep sweep(kWayList);
  ElementRules rules = patient_rules();
  rules.warning = 10;
  rules.jobs = 0;
  const FakeSubmission submission(sweep, kElementWays, rules);
  Words words = in_job(sweep, submission.element_words());
  words.insert(words.begin() + 1, "SLURM_CPUS_ON_NODE=1");
  const Ran ran = run_program(words, on_node("a"));
  EXPECT_NE(ran.err.find(", 1 at a time"), std::string::npos) << ran.err;
}

TEST_F(ElementTest, WithoutTimeItStartsNothing) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays);
  const Ran ran = run_program(in_job(sweep, submission.element_words(), "2:00"), on_node("a"));
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("raise time in slurm.toml"), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(sweep.folder_of(20)));
}

TEST_F(ElementTest, ARunThatGainsNothingFails) {
  const FakeSweep sweep("9, 20");
  ElementRules rules = hasty_rules();
  rules.fruitless = 3;
  const FakeSubmission submission(sweep, {9, 20}, rules);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run_program(submission.element_words(), on_node("a")).status, 5);
  const Ran ran = run_program(submission.element_words(), on_node("b"));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_EQ(sweep.state(9), "failed");
  EXPECT_EQ(sweep.state(20), "done");
  const Ran why = sweep.lcsm({"why", sweep.id(9)});
  EXPECT_NE(why.out.find("gained no step in 3 attempts"), std::string::npos) << why.out;
  const std::int64_t newest = newest_claim(sweep.folder_of(9));
  run_program(submission.element_words(), on_node("a"));
  EXPECT_EQ(newest_claim(sweep.folder_of(9)), newest) << "it is over for this submission";
  const fs::path next = submission.folder().parent_path() / "mine-2";
  fs::copy(submission.folder(), next, fs::copy_options::recursive);
  std::string head = read_file(next / "submission.json");
  head.replace(head.find("mine-1"), 6, "mine-2");
  std::ofstream(next / "submission.json") << head;
  Words words = submission.element_words();
  std::ranges::replace(words, submission.folder().string(), next.string());
  run_program(words, on_node("a"));
  EXPECT_GT(newest_claim(sweep.folder_of(9)), newest) << "the next one tries again";
}

TEST_F(ElementTest, ADamagedRunThatGainsNothingEndsNoOther) {
  const FakeSweep sweep("9, 20");
  ElementRules rules = hasty_rules();
  rules.fruitless = 1;
  const FakeSubmission submission(sweep, {9, 20}, rules);
  fs::create_directories(sweep.folder_of(9));
  const Claim wish{.submission = "mine-1", .owner = this_owner()};
  ASSERT_TRUE(make_claim(sweep.folder_of(9), wish, /*own_segment=*/true, 0));
  end_claim(sweep.folder_of(9), 1, results::RunState::kSignal);
  std::ofstream(sweep.folder_of(9) / "events.jsonl") << "no event\nno event\n";
  const Ran ran = run_program(submission.element_words(), on_node("a", {"FAKE_STEP_MS=20"}));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_NE(ran.err.find("gained no step in 1 attempt: see its"), std::string::npos) << ran.err;
  EXPECT_EQ(claim_end(sweep.folder_of(9), 2), results::RunState::kFailed);
  EXPECT_EQ(sweep.state(20), "done") << ran.err;
}

TEST_F(ElementTest, ANodeOnWhichRunAfterRunFailsIsLeft) {
  const FakeSweep sweep(kWayList);
  ElementRules rules = hasty_rules();
  rules.warning = 10;
  const FakeSubmission submission(sweep, kElementWays, rules);
  const fs::path broken = sweep.folder() / "broken";
  std::ofstream(broken) << "#!/bin/sh\nkill -SEGV $$\n";
  fs::permissions(broken, fs::perms::owner_all);
  const Ran ran =
      run_program(in_job(sweep, submission.element_words(broken.string())), on_node("bad"));
  EXPECT_EQ(ran.status, 1) << ran.err;
  EXPECT_NE(ran.err.find("several runs in a row failed on bad: it is set aside"), std::string::npos)
      << ran.err;
  EXPECT_NE(calls(sweep).find("scontrol requeue 12_3\nscontrol update JobId=12_3 ExcNodeList=bad"),
            std::string::npos)
      << calls(sweep);
  EXPECT_EQ(run_program(in_job(sweep, submission.element_words()), on_node("bad")).status, 1);
  EXPECT_EQ(run_program(submission.element_words(), on_node("good")).status, 0);
  EXPECT_EQ(results_of(sweep), undisturbed());
}

// Clocks ten minutes ahead of and behind this host's, as signs of life show them.
TEST_F(ElementTest, AnotherNodesClockMayBeWrong) {
  for (const int minutes : {-10, 10}) {
    const FakeSweep sweep("20");
    const FakeSubmission submission(sweep, {20});
    ClaimOwner other = this_owner();
    other.node = "skewed";
    fs::create_directories(sweep.folder_of(20));
    const Claim wish{.submission = "mine-1", .beat = 0.05, .silence = 1, .owner = other};
    ASSERT_TRUE(make_claim(sweep.folder_of(20), wish, /*own_segment=*/true, 0));
    Background element(submission.element_words(), sweep.folder() / "a", on_node("a"));
    for (int beat = 0; beat < 30; ++beat) {
      const auto then = fs::file_time_type::clock::now() + std::chrono::minutes(minutes);
      fs::last_write_time(sweep.folder_of(20) / "claims" / "1", then);
      usleep(50'000);
    }
    EXPECT_EQ(newest_claim(sweep.folder_of(20)), 1) << "it lives";
    EXPECT_TRUE(element.over()) << "nothing is left to this one";
    EXPECT_EQ(run_program(submission.element_words(), on_node("b")).status, 0);
    EXPECT_EQ(newest_claim(sweep.folder_of(20)), 2) << "it has fallen silent";
  }
}

TEST_F(ElementTest, AMissingWorkspaceIsSuspectedNotToBeShared) {
  const FakeSweep sweep(kWayList);
  const Ran ran = run_program({program_beside("lcsm").string(), "element", "/no/where/mine-1"});
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("a file system that all nodes share"), std::string::npos) << ran.err;
}

TEST_F(ElementTest, ADamagedSubmissionIsNamed) {
  const FakeSweep sweep(kWayList);
  const FakeSubmission submission(sweep, kElementWays);
  fs::resize_file(submission.folder() / "runs.jsonl", 30);
  const Ran ran = run_program(submission.element_words());
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.err.find("runs.jsonl:1: expected"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace runner
