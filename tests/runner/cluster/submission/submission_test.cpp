#include "runner/cluster/submission/submission.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <stdexcept>

#include "lcsm/files/confined.h"
#include "runner/workspace/folder.h"
#include "tests/message_of.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

Submission sample() {
  Submission submission{.token = "recall-1a2b",
                        .program = "cafe",
                        .mark = {"recall", "A title", "lcsm/x", "laptop", "seed=2"}};
  submission.rules.warning = 90.5;
  submission.rules.runs_per_gpu = 3;
  submission.runs = {{std::string(32, 'a'), "seed = 1", "seed = 1\n", 12.5, 1e9, 0, 2e6},
                     {std::string(32, 'b'), "seed = \"\xC3\xA4\"", "seed = 2\n", 0, 0, 4, 0}};
  return submission;
}

std::string refusal_of_submission(const fs::path& folder) {
  return message_of<std::runtime_error>([&] { read_submission(folder); });
}

class SubmissionTest : public testing::Test {
 protected:
  fs::path folder() const { return submission_folder(scratch_.path(), "recall-1a2b"); }
  void change(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(folder() / name);
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder() / name) << text;
  }

  ScratchFolder scratch_;
};

TEST_F(SubmissionTest, IsReadAsItWasWritten) {
  write_submission(scratch_.path(), sample());
  EXPECT_EQ(read_submission(folder()), sample());
  EXPECT_EQ(read_submission(folder() / ""), sample());
  EXPECT_THROW(write_submission(scratch_.path(), sample()), std::invalid_argument);
  Submission other = sample();
  other.token = "../escape";
  EXPECT_THROW(write_submission(scratch_.path(), other), std::invalid_argument);
}

TEST_F(SubmissionTest, IsThereWholeOrNotAtAll) {
  for (int n = 1; results::killed_at(n, [&] { write_submission(scratch_.path(), sample()); });
       n += results::kStride) {
    if (fs::exists(folder())) {
      EXPECT_EQ(read_submission(folder()), sample()) << "killed at change " << n;
    }
    fs::remove_all(folder());
  }
  EXPECT_EQ(read_submission(folder()), sample());
}

// A workspace from somebody else: the list of runs neither names a file outside, nor is a link to
// one.
TEST_F(SubmissionTest, ItsListOfRunsLeadsNowhereElse) {
  write_submission(scratch_.path(), sample());
  const fs::path list = folder() / "runs.jsonl";
  const auto refusal = [&] {
    return message_of([&] { submitted_runs(scratch_.path(), "recall-1a2b"); });
  };
  EXPECT_EQ(refusal(), "");
  change("runs.jsonl", std::string(32, 'a'), "../../outside");
  EXPECT_TRUE(has(refusal(), "expected a run in every line of " + list.string()));
  fs::rename(list, scratch_.path() / "outside");
  EXPECT_EQ(submitted_runs(scratch_.path(), "recall-1a2b").size(), 0U);
  lcsm::confine(scratch_.path() / "submissions");
  fs::create_symlink(scratch_.path() / "outside", list);
  EXPECT_TRUE(has(refusal(), list.string() + ":1: cannot be read: ")) << refusal();
}

TEST_F(SubmissionTest, DamageIsNamedWithFileAndLine) {
  struct Damage {
    std::string expected;
    std::function<void()> make;
  };
  const std::vector<Damage> damages = {
      {"submission.json:1: cannot be read", [&] { fs::remove(folder() / "submission.json"); }},
      {"submission.json:1: expected a JSON object, got {",
       [&] { fs::resize_file(folder() / "submission.json", 10); }},
      {"submission.json:1: expected a number of at least 0 as 'warning', got \"x\"",
       [&] { change("submission.json", "90.5", "\"x\""); }},
      {"submission.json:1: expected the schema lcsm.submission/1, got lcsm.submission/9",
       [&] { change("submission.json", "submission/1", "submission/9"); }},
      {"submission.json:1: expected the folder's name as 'token', got other",
       [&] { change("submission.json", "recall-1a2b", "other"); }},
      {"runs.jsonl:1: cannot be read", [&] { fs::remove(folder() / "runs.jsonl"); }},
      {"runs.jsonl:2: expected 'name', got nothing",
       [&] { change("runs.jsonl", "\"name\":\"seed = \\\"", "\"game\":\"seed = \\\""); }},
      {"runs.jsonl:2: expected each run once",
       [&] { change("runs.jsonl", std::string(32, 'b'), std::string(32, 'a')); }},
      {"runs.jsonl:1: expected 32 hex digits as 'id', got zaaa",
       [&] { change("runs.jsonl", "aaaa", "zaaa"); }},
      {"runs.jsonl:1: expected 2 runs, as submission.json says, got 0",
       [&] { fs::resize_file(folder() / "runs.jsonl", 0); }},
      {"runs.jsonl:2: expected 2 runs, as submission.json says, got 1",
       [&] {
         fs::resize_file(folder() / "runs.jsonl",
                         read_file(folder() / "runs.jsonl").find('\n') + 1);
       }},
      {"configs/" + std::string(32, 'b') + ".toml:1: cannot be read",
       [&] { fs::remove(folder() / "configs" / (std::string(32, 'b') + ".toml")); }},
  };
  for (const Damage& damage : damages) {
    fs::remove_all(folder());
    write_submission(scratch_.path(), sample());
    damage.make();
    EXPECT_NE(refusal_of_submission(folder()).find(damage.expected), std::string::npos)
        << refusal_of_submission(folder());
  }
}

}  // namespace
}  // namespace runner
