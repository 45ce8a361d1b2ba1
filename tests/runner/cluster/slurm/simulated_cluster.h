// A cluster whose clock, nodes and trainings are simulated: array tasks claim their runs through
// real files with RunClaims, train for some time, are cut off by time limits, and their nodes fail.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "runner/cluster/submission/look_timer.h"
#include "runner/sweeps/schedule/run_claims.h"
#include "tests/runner/run_program.h"

namespace runner {

struct SimulatedSettings {
  int runs = 1500, nodes = 30;
  double longest = 1200;        // seconds of a run; the shortest takes a quarter
  double checkpoint = 60;       // seconds between checkpoints
  double turn = 4 * 3600;       // an array task's time limit
  double node_failure = 86400;  // mean time between failures of a node
  double repair = 1800;         // of a node
  double requeue = 60;          // until a requeued array task starts again
  int stuck = 3;                // runs that gain no step, ever
  int returning = 4;            // each such failure is of the network: the training goes on
  int watchers = 3;             // `lcsm watch`, each on a host of its own
  unsigned seed = 1;
};

struct SimulatedEnd {
  double seconds = 0;
  std::int64_t failures = 0, cut = 0, returned = 0, turns = 0, looks = 0, asks = 0;
  std::vector<int> done;     // how often the end of each run counted
  std::vector<bool> failed;  // told so by its events
  std::int64_t twice = 0;    // claims on a run whose training was alive and gave signs
  std::vector<int> calls;    // of the controller, in each minute
};

struct SimulatedTraining {
  int run = -1;
  std::int64_t claim = 0;
  double since = 0, saved = 0;
};

class SimulatedCluster {
 public:
  explicit SimulatedCluster(const SimulatedSettings& settings);
  ~SimulatedCluster();
  SimulatedEnd run();

 private:
  // The progress of a run's training, as its folder would show it.
  struct SimulatedRun {
    double seconds = 0, saved = 0;  // in all; of the newest checkpoint
    bool stuck = false;
    int trainer = -1;        // the array task that trains it and is alive
    std::int64_t beats = 0;  // signs of life that it gave
    std::int64_t claim = 0;
  };
  struct Element {
    std::string node;
    std::unique_ptr<RunClaims> claims;
    std::vector<bool> settled;
    std::map<int, double> waiting;  // until when
    int cursor = 0, first = 0;
    double ends = 0;        // its turn
    std::int64_t life = 0;  // events of an earlier life are void
    bool over = false;
    SimulatedTraining training;
  };
  enum class What { kStart, kPull, kTrained, kTurnEnds, kFails, kZombieEnds, kLook };
  struct Event {
    double time = 0;
    std::int64_t number = 0;
    What what = What::kStart;
    int element = 0;
    std::int64_t life = 0;
    SimulatedTraining training = {};  // of a node that comes back
    bool operator<(const Event& other) const {
      return std::pair(other.time, other.number) < std::pair(time, number);
    }
  };

  void at(double time, What what, int element, const SimulatedTraining& training = {});
  void take(const Event& event);
  void start(int index);
  void pull(int index);
  bool ask(int index, int run);
  void train(int index, int run, std::int64_t claim);
  void trained(int index);
  void end_turn(int index);
  void fail(int index);
  void zombie_ends(const SimulatedTraining& training);
  void stop(int index);  // until its next start
  void look(int watcher);
  int alive() const;  // array tasks that are not over
  void save(int run, std::int64_t claim, double reached);
  void give_signs(int run);
  void call_controller();
  double reached(const SimulatedTraining& training) const;
  std::filesystem::path folder_of(int run) const;
  RunToDo to_do(int run) const;

  SimulatedSettings settings_;
  ScratchFolder scratch_;
  std::string config_;
  std::mt19937 random_;
  double now_ = 0;
  std::int64_t events_ = 0;
  std::vector<SimulatedRun> runs_;
  std::vector<Element> elements_;
  std::priority_queue<Event> queue_;
  std::vector<LookTimer> timers_;  // of watchers
  std::vector<std::int64_t> seen_;
  SimulatedEnd end_;
};

}  // namespace runner
