// A simulated cluster: clock, nodes and trainings are simulated, but array tasks claim their runs
// through real files with RunClaims. Time limits cut tasks off, and nodes fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>

#include "results/events/run_folder.h"
#include "runner/cluster/submission/look_timer.h"
#include "runner/sweeps/schedule/run_claims.h"
#include "runner/workspace/claim.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

const SharedWork kShared{.submission = "simulated"};

struct SimulatedSettings {
  int runs = 1500, nodes = 30;
  double longest = 1200;        // seconds of a run; the shortest takes a quarter
  double checkpoint = 60;       // seconds between checkpoints
  double turn = 4 * 3600;       // an array task's time limit
  double node_failure = 86400;  // mean time between failures of a node
  double repair = 1800;         // of a node
  double requeue = 60;          // until a requeued array task starts again
  int stuck = 3;                // runs that gain no step, ever
  int returning = 4;  // every returning-th failure is of the network, so training continues
  int watchers = 3;   // `lcsm watch`, each on a host of its own
  unsigned seed = 1;
};

struct SimulatedEnd {
  double seconds = 0;
  std::int64_t failures = 0, cut = 0, returned = 0, turns = 0, looks = 0, asks = 0;
  std::int64_t twice = 0;  // claims on a run whose training was alive and gave signs
  std::vector<int> calls;  // of the controller, in each minute
};

class SimulatedCluster {
 public:
  // The progress of a run's training, as its folder shows it.
  struct Run {
    RunToDo to_do;
    fs::path folder;
    double seconds = 0, saved = 0;  // in all; of the newest checkpoint
    bool stuck = false;
    bool trained = false;    // by an array task that is alive
    std::int64_t beats = 0;  // signs of life so far
    std::int64_t claim = 0;
    int done = 0;         // number of ends that counted
    bool failed = false;  // according to its events
  };

  explicit SimulatedCluster(const SimulatedSettings& settings)
      : settings_(settings), random_(settings.seed) {
    fs::create_directory(scratch_.path() / results::kRunsFolder);
    for (int i = 0; i < settings.runs; ++i) {
      std::string id = std::to_string(i);
      id.insert(0, 32 - id.size(), '0');
      Run& run = runs_.emplace_back();
      run.to_do = {.job = {.id = id},
                   .config = "[task]\nname = \"mqar\"\n[model]\ncode = \"1-1-1-0\"\n"};
      run.folder = results::run_folder(scratch_.path(), id);
      run.seconds = settings.longest * (1 - 0.75 * i / settings.runs);  // the longest first
      run.stuck = i % (settings.runs / settings.stuck) == 7;
    }
    elements_.resize(static_cast<std::size_t>(settings.nodes));
    for (Element& element : elements_) {
      element.node = "n" + std::to_string(&element - elements_.data());
      element.first = random_() % runs_.size();
      at(0, element, &SimulatedCluster::start);
    }
    timers_.assign(static_cast<std::size_t>(settings.watchers), {LookTimer(0), 0});
    for (Watcher& watcher : timers_) at(0, [&] { look(watcher); });
  }
  ~SimulatedCluster() { unsetenv("SLURMD_NODENAME"); }

  const SimulatedEnd& run() {
    while (!queue_.empty()) {
      const Event event = queue_.top();
      queue_.pop();
      now_ = event.time;
      event.work();
    }
    return end_;
  }
  const std::vector<Run>& runs() const { return runs_; }

 private:
  struct Training {
    Run* run = nullptr;
    std::int64_t claim = 0;
    double since = 0, saved = 0;
  };
  struct Element {
    std::string node = {};
    std::unique_ptr<RunClaims> claims = {};
    std::vector<bool> settled = {};
    std::map<std::size_t, double> waiting = {};  // until when
    std::size_t cursor = 0, first = 0;
    double ends = 0;        // its turn
    std::int64_t life = 0;  // ignores events of an earlier life
    bool over = false;
    std::optional<Training> training = {};
  };
  struct Watcher {
    LookTimer timer;
    std::int64_t seen = 0;
  };
  struct Event {
    double time = 0;
    std::int64_t number = 0;
    std::function<void()> work;
    bool operator<(const Event& other) const {
      return std::pair(other.time, other.number) < std::pair(time, number);
    }
  };

  void at(double time, std::function<void()> work) {
    queue_.push({time, events_++, std::move(work)});
  }
  void at(double time, Element& element, void (SimulatedCluster::*work)(Element&)) {
    at(time, [this, &element, work, life = element.life] {
      if (element.life != life || element.over) return;
      setenv("SLURMD_NODENAME", element.node.c_str(), 1);
      (this->*work)(element);
    });
  }

  // Queries Slurm for the remaining time.
  void start(Element& element) {
    call_controller();
    ++end_.turns;
    element.claims = std::make_unique<RunClaims>(scratch_.path(), kShared);
    element.settled.assign(runs_.size(), false);
    element.waiting.clear();
    element.cursor = 0;
    element.ends = now_ + settings_.turn;
    at(element.ends, element, &SimulatedCluster::end_turn);
    std::exponential_distribution<double> failure(1 / settings_.node_failure);
    at(now_ + failure(random_), element, &SimulatedCluster::fail);
    pull(element);
  }

  // Asks for runs as the scheduler does: postponed runs once their time has come, the others in
  // order.
  void pull(Element& element) {
    if (element.training) return;
    for (; element.cursor < runs_.size(); ++element.cursor) {
      const std::size_t run = (element.first + element.cursor) % runs_.size();
      if (!element.settled[run] && ask(element, run)) return;
    }
    for (const auto& [run, until] : std::map(element.waiting))
      if (until <= now_ && ask(element, run)) return;
    double next = element.ends;
    element.over = true;  // if only runs are left that others are seen to train
    for (const auto& [run, until] : element.waiting) {
      next = std::min(next, until);
      element.over = element.over && element.claims->elsewhere(runs_[run].to_do.job.id);
    }
    if (!element.over) at(std::max(next, now_ + 0.1), element, &SimulatedCluster::pull);
  }

  bool ask(Element& element, std::size_t number) {
    Run& run = runs_[number];
    element.waiting.erase(number);
    give_signs(run);
    ++end_.asks;
    const RunClaims::Answer answer = element.claims->ask(run.to_do, now_);
    if (answer.over) {
      element.settled[number] = true;
      run.failed = run.failed || answer.over->state == RunState::kFailed;
    } else if (answer.claim == 0) {
      element.waiting[number] = now_ + answer.wait;
    } else {
      train(element, run, answer.claim);
      return true;
    }
    return false;
  }

  void train(Element& element, Run& run, std::int64_t claim) {
    end_.twice += run.trained;
    run.trained = true;
    run.claim = claim;
    element.training = {&run, claim, now_, run.saved};
    at(now_ + (run.stuck ? 30 : run.seconds - run.saved), element, &SimulatedCluster::trained);
  }

  void trained(Element& element) {
    const Training training = *std::exchange(element.training, {});
    Run& run = *training.run;
    const auto number = static_cast<std::size_t>(&run - runs_.data());
    run.trained = false;
    if (!run.stuck) {
      element.settled[number] = true;
      run.done += newest_claim(run.folder) == training.claim;
      end_.seconds = now_;
    } else {
      element.waiting[number] = now_ + 5;
    }
    element.claims->ended(run.to_do, run.stuck ? RunState::kSignal : RunState::kDone);
    pull(element);
  }

  // The seconds of its newest checkpoint.
  double reached(const Training& training) const {
    if (training.run->stuck) return training.run->saved;
    const double all = training.saved + now_ - training.since;
    return std::floor(all / settings_.checkpoint) * settings_.checkpoint;
  }

  // A checkpoint of a process that still has the run.
  void save(const Training& training, double reached) {
    Run& run = *training.run;
    if (reached <= run.saved || newest_claim(run.folder) != training.claim) return;
    run.saved = reached;
    fs::create_directories(run.folder / "checkpoints" /
                           (std::to_string(static_cast<std::int64_t>(reached)) + "." +
                            std::to_string(training.claim)));
  }

  // Ends the task until its next start. Returns the runs that it trained.
  std::optional<Training> stop(Element& element) {
    ++element.life;
    if (element.training) element.training->run->trained = false;
    return std::exchange(element.training, {});
  }

  // At the warning, writes a checkpoint at once, ends, and is requeued.
  void end_turn(Element& element) {
    if (const auto training = stop(element)) {
      ++end_.cut;
      save(*training, training->run->stuck ? 0 : training->saved + now_ - training->since);
      element.claims->ended(training->run->to_do, RunState::kInterrupted);
    }
    call_controller();
    at(now_ + settings_.requeue, element, &SimulatedCluster::start);
  }

  // The node fails silently. Slurm requeues the array task; some trainings continue unseen for a
  // while.
  void fail(Element& element) {
    ++end_.failures;
    if (const auto training = stop(element)) {
      save(*training, reached(*training));
      if (end_.failures % settings_.returning == 0 && !training->run->stuck)
        at(now_ + training->run->seconds - reached(*training),
           [this, training] { zombie_ends(*training); });
    }
    at(now_ + settings_.repair, element, &SimulatedCluster::start);
  }

  // The training checks its claim before each write, so it counts only if the claim is the newest.
  void zombie_ends(const Training& training) {
    ++end_.returned;
    if (newest_claim(training.run->folder) != training.claim) return;
    ++training.run->done;
    end_claim(training.run->folder, training.claim, RunState::kDone);
  }

  // Gives the signs of life that the trainer would have given since the last one.
  void give_signs(Run& run) {
    const auto beats = static_cast<std::int64_t>(now_ / kShared.beat);
    if (!run.trained || run.beats == beats) return;
    run.beats = beats;
    give_sign(run.folder, run.claim);
  }

  // The queue has changed if an array task has started or ended since the last poll.
  void look(Watcher& watcher) {
    if (watcher.timer.is_due(now_)) {
      call_controller();
      ++end_.looks;
      const std::int64_t changes = end_.turns + end_.failures;
      watcher.timer.looked(now_, changes != std::exchange(watcher.seen, changes));
    }
    if (!std::ranges::all_of(elements_, &Element::over)) at(now_ + 1, [&] { look(watcher); });
  }

  void call_controller() {
    const auto minute = static_cast<std::size_t>(now_ / 60);
    if (end_.calls.size() <= minute) end_.calls.resize(minute + 1);
    ++end_.calls[minute];
  }

  SimulatedSettings settings_;
  ScratchFolder scratch_;
  std::mt19937 random_;
  double now_ = 0;
  std::int64_t events_ = 0;
  std::vector<Run> runs_;
  std::vector<Element> elements_;
  std::priority_queue<Event> queue_;
  std::vector<Watcher> timers_;
  SimulatedEnd end_;
};

void print(const SimulatedSettings& settings, const SimulatedEnd& end) {
  const auto calls = std::accumulate(end.calls.begin(), end.calls.end(), std::int64_t{0});
  std::printf(
      "%d runs on %d nodes: %.1f hours, %lld node failures, %lld trainings cut, %lld came back\n"
      "%lld calls of the controller by %lld turns and %lld looks: %.2f a minute, at most %d\n"
      "%.1f questions whether a run may start, for each run\n",
      settings.runs, settings.nodes, end.seconds / 3600, static_cast<long long>(end.failures),
      static_cast<long long>(end.cut), static_cast<long long>(end.returned),
      static_cast<long long>(calls), static_cast<long long>(end.turns),
      static_cast<long long>(end.looks),
      static_cast<double>(calls) / static_cast<double>(end.calls.size()),
      *std::ranges::max_element(end.calls),
      static_cast<double>(end.asks) / static_cast<double>(settings.runs));
}

}  // namespace

// A small cluster; LCSM_SIMULATION=20000 simulates 20 000 runs with a node per hundred, in a
// minute.
TEST(SimulatedCluster, NothingIsLostNothingTrainedTwice) {
  SimulatedSettings settings;
  settings.runs /= results::kStride;
  if (const char* const runs = std::getenv("LCSM_SIMULATION")) {
    settings.runs = std::max(100, std::atoi(runs));
    settings.nodes = settings.runs / 100;
  }
  SimulatedCluster cluster(settings);
  const SimulatedEnd& end = cluster.run();
  print(settings, end);
  EXPECT_EQ(end.twice, 0) << "a training that lives was taken over";
  int stuck = 0;
  for (const SimulatedCluster::Run& run : cluster.runs()) {
    ASSERT_EQ(run.done, run.failed ? 0 : 1) << "run " << run.to_do.job.id;
    stuck += run.failed;
  }
  EXPECT_EQ(stuck, settings.stuck) << "those that gain nothing, and no other";
  EXPECT_GT(end.failures, 0);
  EXPECT_LE(std::accumulate(end.calls.begin(), end.calls.end(), std::int64_t{0}),
            2 * end.turns + end.looks);
}

}  // namespace runner
