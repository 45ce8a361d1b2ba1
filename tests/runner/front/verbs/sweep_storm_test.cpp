// A sweep survives kills and full disks with results that are equal byte for byte.
#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <stdexcept>

#include "tests/results/kill_at_write.h"
#include "tests/runner/front/verbs/lcsm_here.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWays = "20, 21, 22";

// The checkpoints and configurations of all runs.
std::string files_of(const FakeSweep& sweep) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(sweep.workspace() / "runs")) {
    const std::string name = entry.path().filename();
    const bool timed = name == "events.jsonl" || name == "stderr.log" || name == "outcome.json" ||
                       name == "written" || entry.path().parent_path().filename() == "claims";
    const bool left = name.starts_with(".");  // by a process that was killed; `lcsm gc` removes it
    if (entry.is_regular_file() && !timed && !left)
      files[fs::relative(entry.path(), sweep.workspace())] = read_file(entry.path());
  }
  std::string text;
  for (const auto& [path, content] : files) text += path + ":\n" + content + "\n";
  return text;
}

// The results: table, numbers of a figure, metrics, files.
std::string came_out_of_sweep_storm(const FakeSweep& sweep) {
  const std::string file = sweep.file().string();
  std::string text;
  for (Words words :
       {Words{"lcsm", "table", file, "--format", "csv"},
        Words{"lcsm", "figure", file, "--format", "csv"},
        Words{"lcsm", "query",
              "SELECT id, metric, step, value FROM history ORDER BY id, metric, step"}}) {
    words.insert(words.end(), {"--workspace", sweep.workspace().string()});
    EXPECT_EQ(lcsm_here(sweep, words), 0) << read_file(sweep.folder() / "err");
    text += read_file(sweep.folder() / "out");
  }
  return text + files_of(sweep);
}

std::string undisturbed(const char* ways) {
  const FakeSweep sweep(ways);
  EXPECT_EQ(sweep.run().status, 0);
  return came_out_of_sweep_storm(sweep);
}

using SweepStorm = WithPrograms;

}  // namespace

TEST_F(SweepStorm, KilledAtAnyWriteTheNextRunEndsTheSame) {
  const std::string wanted = undisturbed(kWays);
  int n = 1;
  for (bool killed = true; killed; n += results::kStride) {
    const FakeSweep sweep(kWays);
    killed = results::killed_at(n, [&] {
      if (run_here(sweep, sweep.run_words({"--jobs", "2"})) != 0)
        throw std::runtime_error(read_file(sweep.folder() / "err"));
    });
    const Ran next = sweep.run({"--jobs", "2"});
    ASSERT_EQ(next.status, 0) << "killed at change " << n << "\n" << next.err;
    ASSERT_EQ(came_out_of_sweep_storm(sweep), wanted) << "killed at change " << n;
  }
  EXPECT_GT(n, 50);
}

// A failed write is reported; existing files stay.
TEST_F(SweepStorm, AFullDiskAtAnyWriteLosesNothing) {
  const std::string wanted = undisturbed("20");
  std::optional<int> status = 0;
  for (int n = 1; status; n += results::kStride) {
    const FakeSweep sweep("20");
    status = results::failing_at(n, ENOSPC, n % 2 == 0, [&] {
      return lcsm_here(sweep, sweep.run_words({"--retries", "0"}));
    });
    EXPECT_TRUE(status.value_or(0) <= 1 || status == 4) << *status << " at change " << n << "\n"
                                                        << read_file(sweep.folder() / "err");
    const Ran next = sweep.run();
    ASSERT_EQ(next.status, 0) << "full at change " << n << "\n" << next.err;
    ASSERT_EQ(came_out_of_sweep_storm(sweep), wanted) << "full at change " << n;
  }
}

}  // namespace runner
