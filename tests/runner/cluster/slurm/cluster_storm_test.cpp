// Runs a sweep on a real Slurm while Slurm's daemons, `lcsm run`, array tasks and trainers are
// killed, and array tasks are stopped until others have taken over their runs.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <map>
#include <random>
#include <thread>

#include "tests/runner/cluster/slurm/small_cluster.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

constexpr const char* kClusterStormWays = "20, 21, 22, 23, 24, 25, 26, 27, 28, 29";
constexpr int kNodes = 3;

class ClusterStorm {
 public:
  ClusterStorm(unsigned seed, const SmallCluster& cluster) : random_(seed), cluster_(cluster) {
    std::ofstream(sweep_.folder() / "slurm.toml")
        << "[small]\ntime = \"10m\"\nelements = " << kNodes << "\nsilence = \"1s\"\n";
  }

  // Strikes until nothing is left to submit, at most `strikes` times. Returns the number of
  // strikes.
  int blow(int strikes) {
    int struck = 0;
    const auto began = std::chrono::steady_clock::now();
    for (bool over = false; !over;) {
      if (std::chrono::steady_clock::now() - began > std::chrono::minutes(3)) {
        ADD_FAILURE() << cluster_.call({"squeue"}).out << cluster_.call({"sinfo"}).out
                      << run_program({"sh", "-c", "tail -n 5 \"$0\"/submissions/*/*.log; ps -ef",
                                      sweep_.workspace().string()})
                             .out;
        return struck;
      }
      if (round_ % 20 == 19 || cluster_.idle()) over = asks_for_more();
      std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 300));
      if (struck < strikes && !over) struck += strike();
      mend(over);
    }
    clear_the_queue();
    return struck;
  }

  const FakeSweep& sweep() const { return sweep_; }

 private:
  Words environment() const { return cluster_.environment({"FAKE_STEP_MS=60"}); }

  bool asks_for_more() const {
    // --retry, since a run that was killed often enough counts as one that gains nothing.
    const Ran ran = sweep_.run({"--on", "slurm", "--retry"}, environment());
    return ran.out.find(": nothing to submit, 10 done") != std::string::npos;
  }

  bool strike() {
    switch (random_() % 6) {
      case 0:
        return strike_controller();
      case 1:
        return strike_node();
      case 2:
        return strike_submission();
      case 3:
        return strike_one("lcsm", SIGKILL) > 0;
      case 4:
        return strike_one("lcsm-train", SIGKILL) > 0;
      default:
        return stop_one();
    }
  }

  bool strike_controller() {
    cluster_.kill_daemon("controller");
    std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 500));
    cluster_.start_daemon("controller");
    return true;
  }

  bool strike_node() {
    const std::string node = "n" + std::to_string(random_() % kNodes);
    if (down_.contains(node)) return false;
    cluster_.kill_daemon(node);
    down_[node] = round_ + static_cast<int>(random_() % 20);
    return true;
  }

  // Kills the submission while its array tasks run, most often before or after its call of sbatch.
  bool strike_submission() {
    Words words = sweep_.run_words({"--on", "slurm"});
    words.insert(words.begin(), "/usr/bin/env");
    Words more = environment();
    more.push_back("PATH=/usr/bin:/bin");
    const Background run(words, sweep_.folder() / "run", more);
    std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 150));
    return true;
  }

  // Kills one process: "lcsm" is an array task, any other name a trainer. Returns its id.
  pid_t strike_one(const std::string& program, int number) {
    const std::vector<pid_t> all = processes_of(sweep_.workspace() / "frozen", program);
    if (all.empty()) return 0;
    const pid_t one = all[random_() % all.size()];
    return kill(one, number) == 0 ? one : 0;
  }

  bool stop_one() {
    const pid_t one = strike_one("lcsm", SIGSTOP);
    if (one != 0) stopped_[one] = round_ + 10;  // longer than the silence
    return one != 0;
  }

  // Cancels array tasks that Slurm still lists as running or queued after all is done.
  void clear_the_queue() const {
    for (int i = 0; i < 3; ++i) {
      look_after_the_cluster();
      cluster_.call({"scancel", "--user=" + std::to_string(getuid())});
      if (comes_true([this] { return cluster_.idle(); })) return;
    }
  }

  // A controller that has lost its newest state starts array tasks that already run: Slurm then
  // holds them, and drains their nodes, until somebody looks. A task that was being sent to a
  // slurmd that died counts as running until its node registers again, which reconfigure asks for.
  void look_after_the_cluster() const {
    cluster_.call({"scontrol", "reconfigure"});
    for (int i = 0; i < kNodes; ++i)
      cluster_.call({"scontrol", "update", "NodeName=n" + std::to_string(i), "State=RESUME"});
    for (const std::string& job : cluster_.jobs("PENDING"))
      cluster_.call({"scontrol", "release", job});
  }

  void mend(bool all) {
    if (++round_ % 30 == 0) look_after_the_cluster();
    std::erase_if(down_, [&](const auto& each) {
      if (!all && round_ < each.second) return false;
      cluster_.start_daemon(each.first);
      return true;
    });
    std::erase_if(stopped_, [&](const auto& each) {
      if (!all && round_ < each.second) return false;
      for (const pid_t one : processes_of(sweep_.workspace() / "frozen", "lcsm"))
        if (one == each.first) kill(one, SIGCONT);
      return true;
    });
  }

  std::mt19937 random_;
  const SmallCluster& cluster_;
  FakeSweep sweep_{kClusterStormWays};
  int round_ = 0;
  std::map<std::string, int> down_;  // until that round
  std::map<pid_t, int> stopped_;
};

}  // namespace

// 8 strikes, or as many as LCSM_KILLS says.
TEST(ClusterStorm, NothingIsLostAndNothingTrainedTwice) {
  if (const std::string why = no_storm(); !why.empty()) GTEST_SKIP() << why;
  if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm or fake_train was not built";
  const SmallCluster cluster(kNodes);
  if (!cluster.lacking().empty()) GTEST_SKIP() << cluster.lacking();
  expect_no_change(kClusterStormWays, 8,
                   [&](unsigned seed) { return std::make_unique<ClusterStorm>(seed, cluster); });
}

}  // namespace runner
