// Every change and every lock of the database fails in turn, in a sweep and in every verb that
// reads. The sweep ends normally, and the verb's output is unchanged.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "results/events/event_writer.h"
#include "results/store/store.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/front/verbs/lcsm_here.h"
#include "tests/sanitized.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOfDatabase = "results";  // in the names of the database's files

// The kind of fault at the n-th change or lock.
struct Way {
  int error = 0;  // 0: a lock
  bool lasts = false;
};
constexpr Way kIndexFaultsWays[] = {{ENOSPC, false}, {EIO, false}, {ENOSPC, true},
                                    {EIO, true},     {0, false},   {0, true}};

// Tests every stride-th change; with LCSM_STORM, which takes minutes, every one. A lock that stays
// refused costs a second of patience.
int stride(const Way& way) {
  const int usual = std::getenv("LCSM_STORM") != nullptr ? 1 : 5 * results::kStride;
  return (way.error == 0 && way.lasts ? 10 : 1) * usual;
}

std::optional<int> with_fault(const Way& way, int n, const std::function<int()>& work) {
  return way.error != 0 ? results::failing_at(n, way.error, way.lasts, work, kOfDatabase)
                        : results::refusing_locks_at(n, way.lasts, work, kOfDatabase);
}

using IndexFaults = WithPrograms;

}  // namespace

TEST_F(IndexFaults, NeverFailASweep) {
  std::string wanted;
  for (const Way& way : kIndexFaultsWays) {
    int faults = 0;
    for (int n = 1;; n += stride(way)) {
      const FakeSweep sweep("20");
      const auto status = with_fault(way, n, [&] { return lcsm_here(sweep, sweep.run_words()); });
      if (!status) break;
      ++faults;
      ASSERT_EQ(*status, 0) << "error " << way.error << " at " << n << "\n"
                            << read_file(sweep.folder() / "err");
      if (wanted.empty()) wanted = read_file(sweep.folder() / "out");
      ASSERT_EQ(read_file(sweep.folder() / "out"), wanted) << "error " << way.error << " at " << n;
    }
    EXPECT_GE(faults, 1) << "error " << way.error << ": nothing failed";
  }
}

// Exit code 4 as soon as the disk is full, in the database or in the runs.
TEST_F(IndexFaults, EndTheVerbsThatOnlyWriteAsUnwritten) {
  const FakeSweep sweep("20, 21");
  ASSERT_EQ(sweep.run().status, 0);
  const fs::path other = sweep.folder() / "other";
  for (const Words& words :
       {Words{"lcsm", "merge", sweep.workspace().string(), "--workspace", other.string()},
        Words{"lcsm", "rebuild", "--workspace", other.string()}}) {
    int faults = 0;
    for (int n = 1;; n += results::kStride, ++faults) {
      if (words[1] == "merge") fs::remove_all(other), fs::create_directory(other);
      const auto status = results::failing_at(
          n, ENOSPC, true, [&] { return lcsm_here(sweep, words); }, "/other/");
      if (!status) break;
      EXPECT_EQ(*status, 4) << words[1] << " at " << n << "\n" << read_file(sweep.folder() / "err");
    }
    EXPECT_GT(faults, 3) << words[1];
  }
}

TEST_F(IndexFaults, NeverFailAReader) {
  const FakeSweep sweep("20, 21, 6");
  sweep.run({"--retries", "0"});
  const std::string file = sweep.file().string(), id = sweep.id(20);
  const fs::path database = sweep.workspace() / results::kDatabaseFile;
  const std::string older = read_file(database);
  {
    results::EventWriter events(sweep.folder_of(20));
    events.append(results::AttemptLine{6, events.position().lines, {}});
    events.append(results::EndLine{results::RunState::kDone, 6, ""});
  }
  const std::vector<Words> verbs = {{"table", file},  {"figure", file, "--format", "csv"},
                                    {"report", file}, {"status", file},
                                    {"plan", file},   {"why", id},
                                    {"show", id},     {"diff", id, sweep.id(21)},
                                    {"sweeps"},       {"query", "SELECT count(*) FROM runs"},
                                    {"export"},       {"gc"}};
  int faults = 0, first = 0, turn = 0;
  // With sanitizers, each verb is tested with a third of the faults, and each fault with a third of
  // the verbs.
  const auto is_left_out = [&](int at) {
    return tests::kSanitized && (at + at / static_cast<int>(std::size(kIndexFaultsWays))) % 3 != 0;
  };
  for (const Words& verb : verbs) {
    Words words = {"lcsm", "--workspace", sweep.workspace().string()};
    words.insert(words.begin() + 1, verb.begin(), verb.end());
    const auto call = [&] { return lcsm_here(sweep, words); };
    ASSERT_EQ(call(), 0) << verb[0] << "\n" << read_file(sweep.folder() / "err");
    const std::string wanted = read_file(sweep.folder() / "out");
    for (const Way& way : kIndexFaultsWays) {
      if (is_left_out(turn++)) continue;
      for (int n = 1 + first++ % stride(way);; n += 3 * stride(way)) {
        fs::remove(database);
        if (n % 2 == 0) std::ofstream(database, std::ios::binary) << older;
        const auto status = with_fault(way, n, call);
        if (!status) break;
        ++faults;
        ASSERT_EQ(*status, 0) << verb[0] << ", error " << way.error << " at " << n << "\n"
                              << read_file(sweep.folder() / "err");
        ASSERT_EQ(read_file(sweep.folder() / "out"), wanted)
            << verb[0] << ", error " << way.error << " at " << n;
      }
    }
  }
  EXPECT_GT(faults, 20);
}

}  // namespace runner
