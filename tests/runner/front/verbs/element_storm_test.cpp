// Array tasks of several nodes, all on this host, while their processes are killed at random, or
// stopped until another has taken over their runs and then continued, like a node that returns.
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <memory>
#include <random>
#include <thread>

#include "tests/results/kill_at_write.h"
#include "tests/runner/fake_submission.h"

namespace runner {
namespace {

using namespace std::chrono_literals;

constexpr const char* kElementStormWays = "20, 21, 22, 23, 24, 25, 26, 27, 28, 29";
constexpr int kNodes = 3;

// Signals an array task and its children, like a node that stops.
void signal_all(pid_t element, int number) {
  for (const pid_t child : children_of(element)) kill(-child, number);
  kill(element, number);
}

class Storm {
 public:
  explicit Storm(unsigned seed)
      : random_(seed), sweep_(kElementStormWays), submission_(sweep_, ways()) {}

  // Strikes until an array task reports that nothing is left, at most `strikes` times. Returns the
  // number of strikes.
  int blow(int strikes) {
    int struck = 0;
    while (!over_) {
      for (int node = 0; node < kNodes; ++node) keep(node);
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random_() % 150));
      if (struck < strikes) struck += strike(random_() % kNodes);
      let_some_go_on();
    }
    for (auto& element : elements_) {
      if (!element) continue;
      signal_all(element->id(), SIGCONT);
      element->wait();
    }
    Ran last;  // of those whose element was killed after that
    do last = run_program(submission_.element_words(), on_node("last"));
    while (last.status == 5);
    EXPECT_EQ(last.status, 0) << last.err;
    return struck;
  }

  const FakeSweep& sweep() const { return sweep_; }

 private:
  static std::vector<int> ways() { return {20, 21, 22, 23, 24, 25, 26, 27, 28, 29}; }

  // Restarts an array task if it ended early, as Slurm requeues it.
  void keep(int node) {
    auto& element = elements_[static_cast<std::size_t>(node)];
    if (element && !element->over()) return;
    over_ = over_ || (element && element->wait() == 0);
    const std::string name = "node" + std::to_string(node);
    if (!over_)
      element = std::make_unique<Background>(submission_.element_words(), sweep_.folder() / name,
                                             on_node(name, {"FAKE_STEP_MS=30"}));
  }

  bool strike(std::size_t node) {
    if (!elements_[node] || elements_[node]->over() || stopped_[node] > 0) return false;
    const pid_t element = elements_[node]->id();
    const std::vector<pid_t> children = children_of(element);
    const std::size_t which = random_() % (children.size() + 2);
    if (which < children.size()) return kill(children[which], SIGKILL) == 0;
    if (which == children.size()) return kill(element, SIGKILL) == 0;
    signal_all(element, SIGSTOP);
    stopped_[node] = 10;  // rounds: longer than the silence
    return true;
  }

  void let_some_go_on() {
    for (std::size_t node = 0; node < kNodes; ++node)
      if (stopped_[node] > 0 && --stopped_[node] == 0 && elements_[node])
        signal_all(elements_[node]->id(), SIGCONT);
  }

  std::mt19937 random_;
  FakeSweep sweep_;
  FakeSubmission submission_;
  std::array<std::unique_ptr<Background>, kNodes> elements_;
  std::array<int, kNodes> stopped_ = {};
  bool over_ = false;
};

}  // namespace

// 20 of them, or as many as LCSM_KILLS says; fewer under sanitizers.
TEST(ElementStorm, KilledAndStoppedElementsChangeNothing) {
  if (const std::string why = no_storm(); !why.empty()) GTEST_SKIP() << why;
  if (!FakeSweep::can_run()) GTEST_SKIP() << "lcsm was not built";
  expect_no_change(kElementStormWays, 20 / results::kStride,
                   [](unsigned seed) { return std::make_unique<Storm>(seed); });
}

}  // namespace runner
