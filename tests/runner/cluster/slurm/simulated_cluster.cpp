#include "tests/runner/cluster/slurm/simulated_cluster.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "runner/workspace/claim.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

const SharedWork kShared{.submission = "simulated"};

}  // namespace

SimulatedCluster::SimulatedCluster(const SimulatedSettings& settings)
    : settings_(settings),
      config_("[task]\nname = \"mqar\"\n[model]\ncode = \"1-1-1-0\"\n"),
      random_(settings.seed) {
  fs::create_directory(scratch_.path() / results::kRunsFolder);
  for (int i = 0; i < settings.runs; ++i) {
    SimulatedRun run;
    run.seconds = settings.longest * (1 - 0.75 * i / settings.runs);  // the longest first
    run.stuck = i % (settings.runs / settings.stuck) == 7;
    runs_.push_back(run);
  }
  end_.done.resize(runs_.size());
  end_.failed.resize(runs_.size());
  for (int i = 0; i < settings.nodes; ++i) {
    elements_.emplace_back().node = "n" + std::to_string(i);
    elements_.back().first = static_cast<int>(random_() % static_cast<unsigned>(settings.runs));
    at(0, What::kStart, i);
  }
  timers_.assign(static_cast<std::size_t>(settings.watchers), LookTimer(0));
  seen_.resize(timers_.size());
  for (int i = 0; i < settings.watchers; ++i) queue_.push({0, events_++, What::kLook, i});
}

SimulatedCluster::~SimulatedCluster() { unsetenv("SLURMD_NODENAME"); }

fs::path SimulatedCluster::folder_of(int run) const {
  return results::run_folder(scratch_.path(), to_do(run).job.id);
}

RunToDo SimulatedCluster::to_do(int run) const {
  std::string id = std::to_string(run);
  id.insert(0, 32 - id.size(), '0');
  return {.job = {.id = id}, .config = config_};
}

void SimulatedCluster::at(double time, What what, int element, const SimulatedTraining& training) {
  queue_.push({time, events_++, what, element, elements_[static_cast<std::size_t>(element)].life,
               training});
}

SimulatedEnd SimulatedCluster::run() {
  while (!queue_.empty()) {
    const Event event = queue_.top();
    queue_.pop();
    now_ = event.time;
    take(event);
  }
  return std::move(end_);
}

void SimulatedCluster::take(const Event& event) {
  if (event.what == What::kZombieEnds) return zombie_ends(event.training);
  if (event.what == What::kLook) return look(event.element);
  Element& element = elements_[static_cast<std::size_t>(event.element)];
  if (element.life != event.life || element.over) return;
  setenv("SLURMD_NODENAME", element.node.c_str(), 1);
  switch (event.what) {
    case What::kStart:
      return start(event.element);
    case What::kPull:
      return pull(event.element);
    case What::kTrained:
      return trained(event.element);
    case What::kTurnEnds:
      return end_turn(event.element);
    case What::kFails:
      return fail(event.element);
    default:
      return;
  }
}

// Asks Slurm how much time it has.
void SimulatedCluster::start(int index) {
  call_controller();
  ++end_.turns;
  Element& element = elements_[static_cast<std::size_t>(index)];
  element.claims = std::make_unique<RunClaims>(scratch_.path(), kShared);
  element.settled.assign(runs_.size(), false);
  element.waiting.clear();
  element.cursor = 0;
  element.training = {};
  element.ends = now_ + settings_.turn;
  at(element.ends, What::kTurnEnds, index);
  std::exponential_distribution<double> failure(1 / settings_.node_failure);
  at(now_ + failure(random_), What::kFails, index);
  pull(index);
}

// Asks for runs as the scheduler does: postponed runs once their time has come, the others in
// order.
void SimulatedCluster::pull(int index) {
  Element& element = elements_[static_cast<std::size_t>(index)];
  if (element.training.run >= 0) return;
  const int all = static_cast<int>(runs_.size());
  for (; element.cursor < all; ++element.cursor) {
    const int run = (element.first + element.cursor) % all;
    if (!element.settled[static_cast<std::size_t>(run)] && ask(index, run)) return;
  }
  for (auto [run, until] : std::map(element.waiting))
    if (until <= now_ && ask(index, run)) return;
  double next = element.ends;
  bool elsewhere = true;
  for (const auto& [run, until] : element.waiting) {
    next = std::min(next, until);
    elsewhere = elsewhere && element.claims->elsewhere(to_do(run).job.id);
  }
  if (elsewhere) {  // nothing is left but what others are seen to train
    element.over = true;
    return;
  }
  at(std::max(next, now_ + 0.1), What::kPull, index);
}

bool SimulatedCluster::ask(int index, int run) {
  Element& element = elements_[static_cast<std::size_t>(index)];
  element.waiting.erase(run);
  give_signs(run);
  ++end_.asks;
  const RunClaims::Answer answer = element.claims->ask(to_do(run), now_);
  if (answer.over) {
    element.settled[static_cast<std::size_t>(run)] = true;
    if (answer.over->state == RunState::kFailed) end_.failed[static_cast<std::size_t>(run)] = true;
  } else if (answer.claim == 0) {
    element.waiting[run] = now_ + answer.wait;
  } else {
    train(index, run, answer.claim);
    return true;
  }
  return false;
}

void SimulatedCluster::train(int index, int number, std::int64_t claim) {
  SimulatedRun& run = runs_[static_cast<std::size_t>(number)];
  if (run.trainer >= 0) ++end_.twice;
  run.trainer = index;
  run.claim = claim;
  Element& element = elements_[static_cast<std::size_t>(index)];
  element.training = {number, claim, now_, run.saved};
  const double left = run.stuck ? 30 : run.seconds - run.saved;
  at(now_ + left, What::kTrained, index);
}

void SimulatedCluster::trained(int index) {
  Element& element = elements_[static_cast<std::size_t>(index)];
  const SimulatedTraining training = std::exchange(element.training, {});
  SimulatedRun& run = runs_[static_cast<std::size_t>(training.run)];
  run.trainer = -1;
  const RunState end = run.stuck ? RunState::kSignal : RunState::kDone;
  if (!run.stuck) {
    element.settled[static_cast<std::size_t>(training.run)] = true;
    end_.done[static_cast<std::size_t>(training.run)] +=
        newest_claim(folder_of(training.run)) == training.claim;
    end_.seconds = now_;
  } else {
    element.waiting[training.run] = now_ + 5;
  }
  element.claims->ended(to_do(training.run), end);
  pull(index);
}

double SimulatedCluster::reached(const SimulatedTraining& training) const {
  const SimulatedRun& run = runs_[static_cast<std::size_t>(training.run)];
  if (run.stuck) return run.saved;
  const double all = training.saved + now_ - training.since;
  return std::floor(all / settings_.checkpoint) * settings_.checkpoint;
}

// A checkpoint of a process that still has the run.
void SimulatedCluster::save(int number, std::int64_t claim, double reached) {
  SimulatedRun& run = runs_[static_cast<std::size_t>(number)];
  if (reached <= run.saved || newest_claim(folder_of(number)) != claim) return;
  run.saved = reached;
  fs::create_directories(
      folder_of(number) / "checkpoints" /
      (std::to_string(static_cast<std::int64_t>(reached)) + "." + std::to_string(claim)));
}

void SimulatedCluster::stop(int index) {
  Element& element = elements_[static_cast<std::size_t>(index)];
  ++element.life;
  element.training = {};
}

// The warning: it writes a checkpoint at once, ends, and is queued again.
void SimulatedCluster::end_turn(int index) {
  Element& element = elements_[static_cast<std::size_t>(index)];
  if (const SimulatedTraining training = element.training; training.run >= 0) {
    ++end_.cut;
    SimulatedRun& run = runs_[static_cast<std::size_t>(training.run)];
    run.trainer = -1;
    save(training.run, training.claim, run.stuck ? 0 : training.saved + now_ - training.since);
    element.claims->ended(to_do(training.run), RunState::kInterrupted);
  }
  call_controller();
  stop(index);
  at(now_ + settings_.requeue, What::kStart, index);
}

// The node fails without a message. Slurm requeues the array task; some trainings go on, unseen,
// for a while.
void SimulatedCluster::fail(int index) {
  ++end_.failures;
  Element& element = elements_[static_cast<std::size_t>(index)];
  if (const SimulatedTraining training = element.training; training.run >= 0) {
    SimulatedRun& run = runs_[static_cast<std::size_t>(training.run)];
    run.trainer = -1;
    save(training.run, training.claim, reached(training));
    if (end_.failures % settings_.returning == 0 && !run.stuck)
      at(now_ + run.seconds - reached(training), What::kZombieEnds, index, training);
  }
  stop(index);
  at(now_ + settings_.repair, What::kStart, index);
}

// The training looks at its claim before each write, so it counts only if that is the newest.
void SimulatedCluster::zombie_ends(const SimulatedTraining& training) {
  ++end_.returned;
  const bool counts = newest_claim(folder_of(training.run)) == training.claim;
  if (!counts) return;
  end_.done[static_cast<std::size_t>(training.run)] += 1;
  end_claim(folder_of(training.run), training.claim, RunState::kDone);
}

// Gives the signs of life that the trainer would have given since the last one.
void SimulatedCluster::give_signs(int number) {
  SimulatedRun& run = runs_[static_cast<std::size_t>(number)];
  const auto beats = static_cast<std::int64_t>(now_ / kShared.beat);
  if (run.trainer < 0 || run.beats == beats) return;
  run.beats = beats;
  give_sign(folder_of(number), run.claim);
}

int SimulatedCluster::alive() const {
  return static_cast<int>(
      std::ranges::count_if(elements_, [](const Element& element) { return !element.over; }));
}

// The queue has changed if an array task has started or ended since the last poll.
void SimulatedCluster::look(int watcher) {
  LookTimer& timer = timers_[static_cast<std::size_t>(watcher)];
  std::int64_t& seen = seen_[static_cast<std::size_t>(watcher)];
  if (timer.is_due(now_)) {
    call_controller();
    ++end_.looks;
    const std::int64_t changes = end_.turns + end_.failures;
    timer.looked(now_, changes != seen);
    seen = changes;
  }
  if (alive() > 0) queue_.push({now_ + 1, events_++, What::kLook, watcher});
}

void SimulatedCluster::call_controller() {
  const auto minute = static_cast<std::size_t>(now_ / 60);
  if (end_.calls.size() <= minute) end_.calls.resize(minute + 1);
  ++end_.calls[minute];
}

}  // namespace runner
