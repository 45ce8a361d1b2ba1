// Runs a sweep while other programs read, lock, damage and remove its files in random order. The
// results are equal, and no reader fails.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <system_error>
#include <thread>

#include "results/events/run_folder.h"
#include "results/store/store.h"
#include "runner/workspace/run_lock.h"
#include "tests/runner/fake_sweep.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::Database;
using std::chrono::milliseconds;

constexpr const char* kHostileStormWays = "20, 21, 22, 23, 24, 25";

using Counts = std::map<std::string, int>;

// Disturbances beside a running sweep. Each function returns when its disturbance is over.
class Hostility {
 public:
  Hostility(const FakeSweep& sweep, std::mt19937& random, Counts* counts)
      : sweep_(sweep), random_(random), counts_(*counts) {}

  void one(Background& run) {
    using Deed = void (Hostility::*)(Background&);
    struct Row {
      const char* name;
      Deed deed;
    };
    static constexpr std::array kRows = {
        Row{"kill", &Hostility::kill_one},       Row{"stop", &Hostility::stop},
        Row{"reader", &Hostility::read},         Row{"writer", &Hostility::lock},
        Row{"remove", &Hostility::remove},       Row{"damage", &Hostility::damage},
        Row{"move", &Hostility::move},           Row{"verb", &Hostility::use_verb},
        Row{"leftover", &Hostility::leave_over}, Row{"spoil", &Hostility::spoil},
        Row{"limit", &Hostility::limit}};
    const Row& row = kRows[random_() % kRows.size()];
    SCOPED_TRACE(row.name);
    ++counts_[row.name];
    try {
      (this->*row.deed)(run);
    } catch (const results::DatabaseError&) {
      // the database was being written, or is damaged
    } catch (const fs::filesystem_error&) {
      // a process removed the file
    }
  }

 private:
  fs::path database() const { return sweep_.workspace() / results::kDatabaseFile; }
  void wait() { std::this_thread::sleep_for(milliseconds(10 + random_() % 150)); }

  void kill_one(Background& run) {
    const std::vector<pid_t> children = children_of(run.id());
    const std::size_t which = random_() % (children.size() + 1);
    if (!run.over()) ::kill(which < children.size() ? children[which] : run.id(), SIGKILL);
  }

  void stop(Background& run) {
    constexpr std::array kSignals = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGHUP};
    if (!run.over()) ::kill(run.id(), kSignals[random_() % kSignals.size()]);
  }

  void read(Background&) {
    Database foreign(database(), Database::Mode::kRead, milliseconds(0));
    results::Statement rows(foreign, "SELECT row FROM published");
    rows.step();
    wait();
  }

  void lock(Background&) {
    if (!fs::exists(database())) return;
    Database foreign(database(), Database::Mode::kWrite, milliseconds(0));
    foreign.run(random_() % 2 == 0 ? "BEGIN IMMEDIATE" : "BEGIN EXCLUSIVE");
    wait();
  }

  void remove(Background&) { fs::remove(database()); }

  // Damages the database so that SQLite can tell: it has no checksum over rows.
  void damage(Background&) {
    if (!fs::exists(database())) return;
    constexpr std::string_view kNoHeader = "no header of a database at all";
    if (random_() % 2 == 0)
      std::fstream(database(), std::ios::in | std::ios::out | std::ios::binary) << kNoHeader;
    else
      fs::resize_file(database(), random_() % (fs::file_size(database()) + 1));
  }

  // Moves the workspace away for a moment, like a disk that is unmounted.
  void move(Background&) {
    const fs::path elsewhere = sweep_.folder() / "elsewhere";
    const bool has_begun = who_runs(sweep_.workspace()).has_value();
    fs::rename(sweep_.workspace(), elsewhere);
    wait();
    EXPECT_FALSE(has_begun && fs::exists(sweep_.workspace())) << "the workspace was made again";
    fs::remove_all(sweep_.workspace());
    fs::rename(elsewhere, sweep_.workspace());
  }

  void use_verb(Background&) {
    const std::string file = sweep_.file().string();
    const std::vector<Words> verbs = {{"table", file},
                                      {"status", file},
                                      {"report", file},
                                      {"query", "SELECT count(*) FROM runs"},
                                      {"figure", file, "--format", "csv"},
                                      {"plan", file},
                                      {"export"},
                                      {"sweeps"},
                                      {"gc"}};
    const Words& words = verbs[random_() % verbs.size()];
    const Ran ran = sweep_.lcsm(words);
    EXPECT_EQ(ran.status, 0) << words[0] << "\n" << ran.err;
  }

  // Leaves files that processes killed elsewhere would leave.
  void leave_over(Background&) {
    for (const char* name : {".results-new.db", ".results-new.db-journal", "control/.x.7.tmp"})
      if (fs::exists((sweep_.workspace() / name).parent_path()))
        std::ofstream(sweep_.workspace() / name) << "half of";
  }

  // Damages the events of a done run while a verb runs, which must read the other runs.
  void spoil(Background& run) {
    const auto ids = results::run_ids(sweep_.workspace());
    if (ids.empty()) return;
    const fs::path events =
        results::run_folder(sweep_.workspace(), ids[random_() % ids.size()]) / results::kEventFile;
    const std::string text = read_file(events);
    if (text.find("\"done\"") == std::string::npos) return;
    const fs::path good = sweep_.folder() / "good", bad = sweep_.folder() / "bad";
    fs::rename(events, good);
    std::error_code there;  // a process that trains it may have made it again
    if (random_() % 2 == 0) {
      std::ofstream(bad) << "no event\n" << text;
      fs::rename(bad, events, there);
    } else {
      fs::create_directory(events, there);
    }
    use_verb(run);
    fs::remove(events, there);
    fs::rename(good, events);
  }

  // Briefly limits the number of open files, or their size like a full disk. Not while libraries
  // load.
  void limit(Background& run) {
    if (!who_runs(sweep_.workspace())) return;
    const auto what = random_() % 2 == 0 ? RLIMIT_NOFILE : RLIMIT_FSIZE;
    std::vector<pid_t> processes = children_of(run.id());
    processes.push_back(run.id());
    const pid_t process = processes[random_() % processes.size()];
    rlimit usual = {};
    if (run.over() || prlimit(process, what, nullptr, &usual) != 0) return;
    const rlimit small = {what == RLIMIT_NOFILE ? random_() % 20 : random_() % 20'000,
                          usual.rlim_max};
    prlimit(process, what, &small, nullptr);
    wait();
    prlimit(process, what, &usual, nullptr);
  }

  const FakeSweep& sweep_;
  std::mt19937& random_;
  Counts& counts_;
};

// Copies the runs and the database to a place where a failure can be examined.
std::string remains(const FakeSweep& sweep, const std::string& wanted) {
  const fs::path left = fs::temp_directory_path() / "lcsm-storm";
  fs::remove_all(left);
  fs::copy(sweep.folder(), left, fs::copy_options::recursive);
  fs::remove(sweep.workspace() / results::kDatabaseFile);
  const std::string rebuilt = results_of(sweep);
  if (rebuilt == wanted) return "the database differs from the runs in " + left.string();
  std::size_t at = 0;
  while (at < rebuilt.size() && rebuilt[at] == wanted[at]) ++at;
  return "the runs in " + left.string() + " differ: got '" + rebuilt.substr(at, 100) + "'";
}

// Allowed ends: done, failed or unfinished runs, workspace removed, output not writable,
// interrupted, killed; by another signal only before the handlers are set.
bool may_end_so(int status, const std::string& output) {
  static const std::set<int> kStatuses = {0, 1, 3, 4, 5, 128 + SIGKILL};
  return kStatuses.contains(status) || (status > 128 && output.empty());
}

}  // namespace

// Runs for 10 seconds, or as many as LCSM_STORM says; LCSM_SEED sets another order.
TEST(HostileStorm, ChangesNothing) {
  if (const std::string why = no_storm(); !why.empty()) GTEST_SKIP() << why;
  if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm was not built";
  const auto number = [](const char* name, int usual) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::atoi(text) : usual;
  };
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(number("LCSM_STORM", 10));
  const int seed = number("LCSM_SEED", 1);
  std::mt19937 random(static_cast<unsigned>(seed));
  std::string wanted;
  {
    const FakeSweep sweep(kHostileStormWays);
    ASSERT_EQ(sweep.run().status, 0);
    wanted = results_of(sweep);
  }
  int sweeps = 0, runs = 0;
  Counts counts;
  for (; std::chrono::steady_clock::now() < deadline && !testing::Test::HasFailure(); ++sweeps) {
    const FakeSweep sweep(kHostileStormWays);
    fs::create_directories(sweep.workspace() / "runs");
    Hostility hostility(sweep, random, &counts);
    const auto run_once = [&](int deeds) {
      Background run(sweep.run_words({"--jobs", "2", "--retry", "--retries", "0"}),
                     sweep.folder() / "output", {"FAKE_STEP_MS=5"});
      for (int i = 0; i < deeds && !run.over(); ++i) {
        std::this_thread::sleep_for(milliseconds(random() % 60));
        hostility.one(run);
      }
      const int status = run.wait();
      EXPECT_TRUE(may_end_so(status, run.output())) << status << "\n" << run.output();
      ++runs;
      return status;
    };
    for (int tries = 0; tries < 10 && run_once(5) != 0;) ++tries;
    ASSERT_EQ(run_once(0), 0) << "seed " << seed << ", sweep " << sweeps << "\n"
                              << read_file(sweep.folder() / "output") << remains(sweep, wanted);
    if (results_of(sweep) != wanted) ADD_FAILURE() << remains(sweep, wanted) << ", seed " << seed;
  }
  std::printf("seed %d: %d sweeps, %d calls of lcsm run", seed, sweeps, runs);
  for (const auto& [name, count] : counts) std::printf(", %d %s", count, name.c_str());
  std::printf("\n");
}

}  // namespace runner
