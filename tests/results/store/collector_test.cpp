// The folding process: killed at every write, and concurrent with writers and readers.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"
#include "tests/results/kill_at_write.h"
#include "tests/results/store/dump.h"

namespace results {
namespace {

namespace fs = std::filesystem;

// Three runs; the first grew since its last fold, the second was rewound, the third is bad.
void make_workspace(const fs::path& workspace) {
  const fs::path first = write_run(workspace, {.number = 1, .sweep = "s", .status = ""});
  const fs::path second = write_run(workspace, {.number = 2, .status = ""});
  fold(workspace);
  EventWriter(first, counting_clock()).append(EndLine{RunState::kDone, 300, ""});
  EventWriter(second, counting_clock()).append(AttemptLine{100, 3, {}});
  const fs::path bad = write_run(workspace, {.number = 3}) / kEventFile;
  write_text(bad, read_text(bad).substr(3));
}

// Kills `work` at its changes of the file system, each in a new workspace, then folds again.
// Returns the number of changes.
int kill_everywhere(const std::function<void(const fs::path&)>& work) {
  std::string wanted;
  for (int n = 1;; n += kStride) {
    const Scratch scratch;
    make_workspace(scratch.path());
    const bool killed = killed_at(n, [&] { work(scratch.path()); });
    fold(scratch.path());
    if (wanted.empty()) {
      const Scratch undisturbed;
      make_workspace(undisturbed.path());
      fold(undisturbed.path());
      wanted = dump(undisturbed.path());
    }
    EXPECT_EQ(dump(scratch.path()), wanted) << "killed at change " << n;
    if (!killed) return n - 1;
  }
}

constexpr int kWriters = 64, kReaders = 10, kRows = 40;

[[noreturn]] void write_one(const fs::path& workspace, int number) {
  std::vector<double> values(kRows, 0);
  for (int i = 0; i < kRows; ++i) values[static_cast<std::size_t>(i)] = 100 + number + i;
  write_run(workspace, {.number = number, .sweep = "s", .valid = values});
  _exit(0);
}

// A reader sees each run's rows without gaps.
[[noreturn]] void read_often(const fs::path& workspace) {
  for (int i = 0; i < 20; ++i) {
    const std::string gaps =
        answer(workspace,
               "SELECT run FROM summaries WHERE metric = 'valid.ppl' AND rows * 100 != last_step");
    if (!gaps.empty()) _exit(1);
  }
  _exit(0);
}

pid_t child(const std::function<void()>& work) {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  try {
    work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  _exit(2);
}

}  // namespace

TEST(Collector, KilledAtAnyWriteOfAFoldNothingIsLostOrDuplicated) {
  EXPECT_GT(kill_everywhere([](const fs::path& at) { fold(at); }), 10);
}

TEST(Collector, KilledAtAnyWriteOfARebuildNothingIsLostOrDuplicated) {
  EXPECT_GT(kill_everywhere([](const fs::path& at) { rebuild(at); }), 10);
}

TEST(Collector, FoldsWhileManyWriteAndManyRead) {
  const Scratch scratch;
  fold(scratch.path());
  std::vector<pid_t> pids;
  for (int i = 0; i < kWriters; ++i)
    pids.push_back(child([&, i] { write_one(scratch.path(), i + 1); }));
  for (int i = 0; i < kReaders; ++i) pids.push_back(child([&] { read_often(scratch.path()); }));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(fold(scratch.path()).refused.empty());
  for (const pid_t pid : pids) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  fold(scratch.path());
  EXPECT_EQ(answer(scratch.path(), "SELECT count(*), count(DISTINCT run) FROM metrics"),
            std::to_string(kWriters * (2 * kRows + 1)) + "|" + std::to_string(kWriters) + "\n");
  EXPECT_EQ(answer(scratch.path(), "SELECT count(*) FROM runs WHERE status = 'done'"), "64\n");
}

// Two collectors at once: the second waits, then finds nothing to do.
TEST(Collector, TwoAtOnceTakeTurns) {
  const Scratch scratch;
  for (int i = 1; i < 20; ++i) write_run(scratch.path(), {.number = i});
  const pid_t other = child([&] {
    fold(scratch.path());
    _exit(0);
  });
  fold(scratch.path());
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(answer(scratch.path(), "SELECT count(*) FROM metrics"), "133\n");
}

}  // namespace results
