// Two processes both believe that they own a run. For any order of their writes, the events that
// count equal an uninterrupted run's, and only steps after the last checkpoint are repeated.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "results/events/event_file.h"
#include "results/events/kept_lines.h"
#include "runner/workspace/claim_hold.h"
#include "tests/results/kill_at_write.h"
#include "tests/runner/fake_learner.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

namespace fs = std::filesystem;
using results::RunState;

constexpr std::int64_t kWay = 23;
const results::RunLine kRun = {std::string(32, 'a'), "", {}};

struct Trained {
  std::vector<int> steps;
  bool overtaken = false;
};

// A claim of a separate host.
std::int64_t claim_of(const fs::path& folder, const std::string& node) {
  ClaimOwner owner = this_owner();
  owner.node = node;
  return make_claim(folder, {.owner = owner}, /*own_segment=*/true, newest_claim(folder))
      .value()
      .number;
}

void train(const fs::path& folder, std::int64_t claim, Trained* trained, int last = 100) {
  try {
    const ClaimHold hold(folder, claim);
    results::EventWriter events(folder, kRun, results::seconds_since_1970, hold.segment());
    FakeLearner learner(folder, kWay, events, &hold);
    const auto note = [&](int step) { trained->steps.push_back(step); };
    const auto asked = [&] { return !trained->steps.empty() && trained->steps.back() >= last; };
    if (!learner.learn({}, asked, note)) return;  // as if it was killed
    learner.check();
    events.append(results::EndLine{RunState::kDone, FakeLearner::kSteps, ""});
    events.sync();
  } catch (const std::exception& error) {  // also if the other removed the file being written
    EXPECT_GT(newest_claim(folder), claim) << error.what();
    trained->overtaken = true;
  }
}

// The metrics that count and the last end, a line each.
std::string counted(const fs::path& folder) {
  results::EventReader reader(results::event_file(folder));
  results::KeptLines kept;
  std::vector<results::Event> events;
  while (auto event = reader.next()) {
    kept.note(event->line, event->sequence);
    events.push_back(*event);
  }
  std::string text;
  for (const results::Event& event : events) {
    const auto* metrics = std::get_if<results::MetricsLine>(&event.line);
    if (metrics == nullptr || !kept.counts(event.sequence)) continue;
    for (const auto& [name, value] : metrics->values)
      text += std::to_string(metrics->step) + " " + name + " " + std::to_string(value) + "\n";
  }
  const auto* end = std::get_if<results::EndLine>(&events.back().line);
  return text + (end == nullptr ? "no end" : std::string(name_of(end->state)));
}

std::string uninterrupted() {
  const ScratchFolder scratch;
  results::EventWriter events(scratch.path(), kRun);
  FakeLearner learner(scratch.path(), kWay, events, nullptr);
  EXPECT_TRUE(learner.learn(
      {}, [] { return false; }, [](int) {}));
  events.append(results::EndLine{RunState::kDone, FakeLearner::kSteps, ""});
  return counted(scratch.path());
}

// Requires each step once, up to the last.
void expect_each_once(const std::vector<int>& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_EQ(steps[i], steps[i - 1] + 1);
  if (!steps.empty()) {
    EXPECT_EQ(steps.back(), FakeLearner::kSteps);
  }
}

// Runs two functions in threads, one at a time: each `yield` switches to the other.
class Turns {
 public:
  void hand_to(int turn) {
    std::unique_lock lock(mutex_);
    turn_ = turn;
    changed_.notify_all();
  }
  void wait_for(int turn) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::hours(1), [&] { return turn_ == turn; })) continue;
  }
  void yield(int from, int to) {
    hand_to(to);
    wait_for(from);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int turn_ = 0;
};

// The first process stops before its N-th change. The second takes the run over and stops before
// its M-th change. The first runs to its end, then the second. False: one of them made fewer
// changes.
struct Interleaved {
  bool first_stopped = false, second_stopped = false;
  Trained first, second;
  std::size_t first_before = 0;  // steps of the first until the takeover
};
Interleaved interleave(const fs::path& folder, int n, int m) {
  Interleaved result;
  Turns turns;
  const std::int64_t claim = claim_of(folder, "first");
  int changes_of_first = 0, changes_of_second = 0;
  std::thread second([&] {
    turns.wait_for(2);
    if (result.first_stopped)
      results::watch_changes(
          [&] {
            if (++changes_of_second != m) return;
            result.second_stopped = true;
            turns.yield(2, 1);
          },
          [&] { train(folder, claim_of(folder, "second"), &result.second); });
    turns.hand_to(1);
  });
  results::watch_changes(
      [&] {
        if (++changes_of_first != n) return;
        result.first_stopped = true;
        result.first_before = result.first.steps.size();
        turns.yield(1, 2);
      },
      [&] { train(folder, claim, &result.first); });
  turns.hand_to(2);
  second.join();
  return result;
}

}  // namespace

TEST(ClaimFence, TheSecondOfTwoWritersWinsAtEveryChange) {
  const std::string wanted = uninterrupted();
  constexpr int kEvery = 6;  // change of the second; others with each change of the first
  int n = 1;
  for (bool more = true; more; n += results::kStride) {
    for (int m = 1 + n % kEvery; more; m += kEvery * results::kStride) {
      const ScratchFolder scratch;
      const Interleaved both = interleave(scratch.path(), n, m);
      more = both.first_stopped;
      if (!both.first_stopped) break;
      EXPECT_EQ(counted(scratch.path()), wanted) << "changes " << n << ", " << m;
      EXPECT_TRUE(both.first.overtaken || both.second.steps.empty()) << n << ", " << m;
      EXPECT_FALSE(both.second.overtaken);
      expect_each_once(both.second.steps);
      if (both.first.overtaken) {
        EXPECT_LE(both.first.steps.size(), both.first_before + FakeLearner::kStepsOfACheckpoint);
      }
      if (!both.second_stopped) break;
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(n, 40);
}

// The second is killed, too, while the first still runs.
TEST(ClaimFence, AThirdContinuesWhatTwoLeft) {
  const std::string wanted = uninterrupted();
  for (int n = 1;; n += results::kStride)
    for (int last = 1; last < FakeLearner::kSteps; ++last) {
      const ScratchFolder scratch;
      Trained first, second, third;
      int changes = 0;
      const std::int64_t claim = claim_of(scratch.path(), "first");
      results::watch_changes(
          [&] {
            if (++changes != n) return;
            train(scratch.path(), claim_of(scratch.path(), "second"), &second, last);
          },
          [&] { train(scratch.path(), claim, &first); });
      if (changes < n) return;
      train(scratch.path(), claim_of(scratch.path(), "third"), &third);
      EXPECT_EQ(counted(scratch.path()), wanted) << "change " << n << ", step " << last;
      EXPECT_FALSE(third.overtaken);
      expect_each_once(third.steps);
      if (testing::Test::HasFailure()) return;
    }
}

}  // namespace runner
