#include "runner/train/trainer/checkpoint.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "results/events/checkpoints.h"
#include "tests/lcsm/formula/fuzz.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

Checkpoint checkpoint_make(std::int64_t step) {
  Checkpoint checkpoint;
  checkpoint.state = {step, TrainState::Best{step, 0.25}, {2, 1.5}, ""};
  checkpoint.model["embedding.weight"] = at::arange(6, at::kFloat).view({2, 3}) + step;
  checkpoint.optimizer["mean.embedding.weight"] = at::arange(6, at::kFloat).view({2, 3}) * 0.5;
  checkpoint.lines = 17;
  checkpoint.seconds = 2.5;
  return checkpoint;
}

class CheckpointsTest : public testing::Test {
 protected:
  std::optional<Checkpoint> newest() {
    complaints.clear();
    return Checkpoints(scratch.path())
        .newest([&](const std::string& text) { complaints += text; },
                [&](const Checkpoint& at) -> std::string {
                  return at.lines <= counted ? "" : kDiscardedHistory;
                });
  }
  fs::path file(std::int64_t step, const std::string& name) {
    return scratch.path() / results::checkpoint_name({step}) / name;
  }
  void overwrite(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

  ScratchFolder scratch;
  std::string complaints;
  std::int64_t counted = 1000;  // lines of the event file
};

TEST_F(CheckpointsTest, ThoseOfLaterSegmentsAreOutOfReach) {
  Checkpoints plain(scratch.path()), first(scratch.path(), 1), second(scratch.path(), 2);
  plain.write(checkpoint_make(3));
  first.write(checkpoint_make(3));
  second.write(checkpoint_make(3));
  second.write(checkpoint_make(5));
  const fs::path folder = scratch.path() / "checkpoints";
  fs::create_directory(folder / ".new-7.3");
  EXPECT_EQ(plain.steps(), std::set<std::int64_t>{3});
  EXPECT_EQ(second.steps(), (std::set<std::int64_t>{3, 5}));
  EXPECT_EQ(second.read(3).segment, 2);
  EXPECT_EQ(plain.read(3).segment, 0);
  plain.keep_only({});
  EXPECT_FALSE(fs::exists(folder / "3"));
  EXPECT_TRUE(fs::exists(folder / "3.2") && fs::exists(folder / "5.2"));
  plain.write(checkpoint_make(5));
  second.keep_only({5});
  EXPECT_FALSE(fs::exists(folder / "5") || fs::exists(folder / "3.2"));
  EXPECT_TRUE(fs::exists(folder / "5.2"));
  Checkpoints(scratch.path(), 2);
  EXPECT_TRUE(fs::exists(folder / ".new-7.3"));
  Checkpoints(scratch.path(), 3);
  EXPECT_FALSE(fs::exists(folder / ".new-7.3"));
}

TEST_F(CheckpointsTest, ReadBackAsTheyWere) {
  Checkpoints all(scratch.path());
  EXPECT_GT(all.write(checkpoint_make(3)), 0);
  const auto read = newest();
  ASSERT_TRUE(read);
  EXPECT_EQ(complaints, "");
  EXPECT_EQ(read->state, checkpoint_make(3).state);
  EXPECT_TRUE(
      read->model.at("embedding.weight").equal(checkpoint_make(3).model.at("embedding.weight")));
  EXPECT_TRUE(read->optimizer.begin()->second.equal(checkpoint_make(3).optimizer.begin()->second));
  EXPECT_EQ(read->lines, 17);
  EXPECT_EQ(read->seconds, 2.5);
}

TEST_F(CheckpointsTest, TheNewestIsThatOfTheLastStep) {
  EXPECT_FALSE(newest());
  Checkpoints all(scratch.path());
  for (const std::int64_t step : {9, 10, 100}) all.write(checkpoint_make(step));
  EXPECT_EQ(newest()->state.step, 100);
  all.keep_only({9, 10});
  EXPECT_EQ(all.steps(), (std::set<std::int64_t>{9, 10}));
  EXPECT_EQ(newest()->state.step, 10);
}

TEST_F(CheckpointsTest, OneIsReplacedByAnotherOfItsStep) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  Checkpoint other = checkpoint_make(3);
  other.lines = 99;
  all.write(other);
  EXPECT_EQ(newest()->lines, 99);
}

TEST_F(CheckpointsTest, ADamagedOneIsSkippedForTheOneBefore) {
  for (const char* name :
       {"model.safetensors", "optimizer.safetensors", "state.json", "written.json"}) {
    for (const bool removed : {false, true}) {
      Checkpoints all(scratch.path());
      all.write(checkpoint_make(3));
      all.write(checkpoint_make(5));
      if (removed) {
        fs::remove(file(5, name));
      } else {
        std::string text = read_file(file(5, name));
        text.back() ^= 1;  // of a tensor, which only its hash can tell
        overwrite(file(5, name), text);
      }
      const auto read = newest();
      ASSERT_TRUE(read) << name;
      EXPECT_EQ(read->state.step, 3) << name;
      EXPECT_NE(complaints.find("checkpoints/5"), std::string::npos) << complaints;
    }
  }
}

// The test split is evaluated with the weights of the best step.
TEST_F(CheckpointsTest, OneWhoseBestIsDamagedIsSkipped) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(2));
  all.write(checkpoint_make(3));
  Checkpoint later = checkpoint_make(5);
  later.state.best->step = 3;
  all.write(later);
  EXPECT_EQ(newest()->state.step, 5);
  fs::remove(file(3, "model.safetensors"));
  EXPECT_EQ(newest()->state.step, 2);
  EXPECT_NE(complaints.find("checkpoints/3"), std::string::npos) << complaints;
}

TEST_F(CheckpointsTest, OneOfADiscardedHistoryIsSkipped) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  Checkpoint later = checkpoint_make(5);
  later.lines = 30;
  all.write(later);
  EXPECT_EQ(newest()->state.step, 5);
  counted = 20;
  EXPECT_EQ(newest()->state.step, 3);
  EXPECT_NE(complaints.find("a history that a later attempt discarded"), std::string::npos);
}

// The open fails for lack of file handles. Falling back would discard a checkpoint that may be
// readable.
TEST_F(CheckpointsTest, OneThatCannotBeOpenedNowIsNotSkipped) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  all.write(checkpoint_make(5));
  rlimit usual = {};
  getrlimit(RLIMIT_NOFILE, &usual);
  const int next = dup(STDIN_FILENO);
  close(next);
  const rlimit none = {static_cast<rlim_t>(next), usual.rlim_max};
  setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_THROW(all.read(5), UnreadableCheckpoint);
  setrlimit(RLIMIT_NOFILE, &usual);
  EXPECT_EQ(newest()->state.step, 5);
  fs::remove(file(5, "written.json"));
  ASSERT_EQ(mknod(file(5, "written.json").c_str(), S_IFSOCK | 0600, 0), 0);
  EXPECT_THROW(newest(), UnreadableCheckpoint) << "ENXIO, as of a device that is gone";
}

TEST_F(CheckpointsTest, EveryFlippedBitOfTheSmallFilesIsNoticed) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(5));
  for (const char* name : {"state.json", "written.json"}) {
    const std::string good = read_file(file(5, name));
    for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
      std::string text = good;
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      overwrite(file(5, name), text);
      EXPECT_THROW(all.read(5), std::runtime_error) << name << ": " << text;
    }
    overwrite(file(5, name), good);
  }
  EXPECT_NO_THROW(all.read(5));
  fs::rename(file(5, ""), file(6, ""));
  EXPECT_THROW(all.read(6), std::runtime_error) << "of another step";
}

// The number of lines decides which part of the history counts.
TEST_F(CheckpointsTest, OneWithoutHashesIsPassedOver) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  all.write(checkpoint_make(5));
  for (const char* bad :
       {R"({"lines":0,"seconds":0})", R"({"lines":17,"seconds":2.5})", R"({"lines":17})"}) {
    overwrite(file(5, "written.json"), bad);
    EXPECT_THROW(all.read(5), std::runtime_error) << bad;
    EXPECT_EQ(newest()->state.step, 3);
  }
}

// Skipping it would train from scratch and overwrite it.
TEST_F(CheckpointsTest, OneOfANewerProgramIsNotSkipped) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  all.write(checkpoint_make(5));
  std::string text = read_file(file(5, "state.json"));
  text.replace(text.find("checkpoint/1"), 12, "checkpoint/2");
  overwrite(file(5, "state.json"), text);
  try {
    newest();
    FAIL();
  } catch (const NewerCheckpoint& error) {
    EXPECT_NE(std::string(error.what())
                  .find("checkpoints/5: expected lcsm.checkpoint/1, got lcsm.checkpoint/2"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(CheckpointsTest, LeftoversOfAnInterruptedWriteAreRemoved) {
  fs::create_directories(scratch.path() / "checkpoints/.new-4");
  overwrite(scratch.path() / "checkpoints/.new-4/model.safetensors", "half");
  fs::create_directories(scratch.path() / "checkpoints/.old-3");
  const Checkpoints all(scratch.path());
  EXPECT_TRUE(fs::is_empty(scratch.path() / "checkpoints"));
}

TEST_F(CheckpointsTest, EqualOnesHaveEqualFiles) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  const std::string first =
      read_file(file(3, "state.json")) + read_file(file(3, "model.safetensors"));
  Checkpoint later = checkpoint_make(3);
  later.lines = 1000;
  later.seconds = 77;
  all.write(later);
  EXPECT_EQ(read_file(file(3, "state.json")) + read_file(file(3, "model.safetensors")), first);
}

// Any content is either rejected with a message or read.
TEST_F(CheckpointsTest, MutatedFilesAreRefusedOrRead) {
  Checkpoints all(scratch.path());
  all.write(checkpoint_make(3));
  lcsm::test::Fuzzer fuzzer("checkpoints", 0.1);
  const std::vector<std::string> names = {"state.json", "written.json", "model.safetensors"};
  const std::vector<std::string> words = {
      "{",   "}", "[", "]", "\"", ":", ",", "null", "-1", "1e999", "\"nan\"", "9223372036854775808",
      "\xff"};
  fuzzer.run([&] {
    const std::string& name = fuzzer.pick(names);
    const std::string good = read_file(file(3, name));
    overwrite(file(3, name), fuzzer.mutated(good, words));
    try {
      all.read(3);
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("checkpoints/3"), std::string::npos);
    }
    overwrite(file(3, name), good);
  });
  EXPECT_TRUE(newest());
}

}  // namespace
}  // namespace runner
