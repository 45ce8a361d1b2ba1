#include "runner/sweeps/schedule/scheduler.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace runner {
namespace {

using Entry = Scheduler::Entry;
using results::RunState;

// Runs that end as `outcome` returns, on devices of which one may be bad.
class Simulation {
 public:
  Simulation(std::vector<Job> jobs, std::vector<Device> devices, Policy policy)
      : scheduler(jobs, devices, policy), devices_(std::move(devices)), policy_(policy) {}

  template <typename Ends>
  void run(Ends outcome) {
    for (int turns = 0; !scheduler.over() && turns < 100000; ++turns) {
      while (const auto start = scheduler.next(now)) begin(*start);
      if (!running_.empty())
        finish(outcome);
      else if (const auto wake = scheduler.wake(now))
        now = *wake;
    }
    EXPECT_TRUE(scheduler.over());
  }

  Scheduler scheduler;
  double now = 0;
  std::map<std::size_t, int> starts_on;  // of each device
  std::size_t bad = 1000;                // the device on which everything fails, at once

 private:
  void begin(const Scheduler::Start& start) {
    for (const auto& [end, other] : running_) {
      EXPECT_NE(other.job, start.job) << "twice at the same time";
      EXPECT_FALSE(other.device == start.device && other.slot == start.slot);
    }
    const double length = start.device == bad ? 0.01 : scheduler.entries()[start.job].job.seconds;
    running_.emplace(now + length, start);
    ++starts_on[start.device];
    std::map<std::size_t, int> used;
    double memory = 0;
    for (const auto& [end, each] : running_) {
      ++used[each.device];
      memory += scheduler.entries()[each.job].job.memory_bytes;
    }
    for (const auto& [device, n] : used) EXPECT_LE(n, devices_[device].slots);
    EXPECT_TRUE(policy_.memory_bytes == 0 || memory <= policy_.memory_bytes);
  }

  template <typename Ends>
  void finish(Ends outcome) {
    const auto [end, start] = *running_.begin();
    running_.erase(running_.begin());
    now = end;
    scheduler.ended(start.job, start.device == bad ? RunState::kSignal : outcome(start.job), now);
  }

  std::vector<Device> devices_;
  Policy policy_;
  std::multimap<double, Scheduler::Start> running_;
};

std::vector<Job> jobs_lasting(std::vector<double> seconds) {
  std::vector<Job> jobs;
  for (const double each : seconds) jobs.push_back({std::to_string(jobs.size()), each, 1});
  return jobs;
}

RunState always_done(std::size_t) { return RunState::kDone; }

std::size_t count(const Scheduler& scheduler, bool (*is)(const Entry& entry)) {
  return static_cast<std::size_t>(
      std::count_if(scheduler.entries().begin(), scheduler.entries().end(), is));
}

bool queued(const Entry& entry) { return entry.queued; }
bool over(const Entry& entry) { return entry.starts > 0 && is_over(entry.state()); }

}  // namespace

TEST(Scheduler, StartsTheLongestFirstAndFillsASlotAtOnce) {
  Simulation s(jobs_lasting({1, 5, 2, 2}), {{"cpu", 2}}, {});
  s.run(always_done);
  EXPECT_EQ(s.now, 5) << "5 beside 2 + 2 + 1";
  EXPECT_EQ(s.scheduler.failed(), 0u);
}

// Interrupted runs, which a user has waited for, start before new ones.
TEST(Scheduler, ResumesInterruptedRunsFirst) {
  std::vector<Job> jobs(4);
  for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].seconds = static_cast<double>(i);
  jobs[0].last = RunState::kInterrupted;
  jobs[1].last = RunState::kLost;
  Scheduler scheduler(jobs, {{"cpu", 4}}, {});
  std::vector<std::size_t> started;
  while (const auto start = scheduler.next(0)) started.push_back(start->job);
  EXPECT_EQ(started, (std::vector<std::size_t>{1, 0, 3, 2}));
}

TEST(Scheduler, RetriesOnlyWhatMayEndDifferently) {
  for (const results::RunStateRow& row : results::kRunStates) {
    if (row.state <= RunState::kDone || row.state > RunState::kLost) continue;
    Simulation s(jobs_lasting({1}), {{"cpu", 1}}, {.retries = 2});
    s.run([&](std::size_t) { return row.state; });
    EXPECT_EQ(s.scheduler.entries()[0].starts, row.retried ? 3 : 1) << row.name;
    EXPECT_EQ(s.scheduler.failed(), has_failed(row.state) ? 1u : 0u) << row.name;
    EXPECT_EQ(s.scheduler.entries()[0].state(), row.state);
  }
}

TEST(Scheduler, WaitsTwiceAsLongBeforeEachRetry) {
  Simulation s(jobs_lasting({1}), {{"cpu", 1}}, {.retries = 3, .wait_seconds = 5});
  s.run([](std::size_t) { return RunState::kNotStarted; });
  EXPECT_EQ(s.now, 4 + 5 + 10 + 20);
}

TEST(Scheduler, OneFailingRunEndsNoOther) {
  Simulation s(jobs_lasting({3, 2, 1}), {{"cpu", 1}}, {.retries = 0});
  s.run([](std::size_t job) { return job == 0 ? RunState::kDiverged : RunState::kDone; });
  EXPECT_EQ(count(s.scheduler, over), 3u);
  EXPECT_EQ(s.scheduler.failed(), 1u);
}

TEST(Scheduler, StartsNoMoreRunsAfterMaxFails) {
  Simulation s(jobs_lasting({5, 4, 3, 2, 1}), {{"cpu", 1}}, {.retries = 0, .max_fails = 2});
  s.run([](std::size_t) { return RunState::kDiverged; });
  EXPECT_EQ(s.scheduler.failed(), 2u);
  EXPECT_EQ(count(s.scheduler, queued), 3u);
  Simulation fast(jobs_lasting({2, 1}), {{"cpu", 2}}, {.retries = 0, .fail_fast = true});
  fast.run([](std::size_t) { return RunState::kDiverged; });
  EXPECT_TRUE(fast.scheduler.end_running());
  std::vector<Job> jobs = jobs_lasting({1});
  jobs[0].last = RunState::kDiverged, jobs[0].queued = false;
  EXPECT_EQ(Scheduler(jobs, {{"cpu", 1}}, {}).failed(), 0u) << "before this scheduler";
}

TEST(Scheduler, RefusesARunThatNeverFitsAndLetsOthersWait) {
  std::vector<Job> jobs = {
      {"huge", 1, 100}, {"half", 2, 6}, {"half too", 2, 6}, {"small", 1, 4}, {"all", 1, 10}};
  Simulation s(jobs, {{"cpu", 4}}, {.memory_bytes = 10});
  s.run(always_done);
  EXPECT_EQ(s.scheduler.entries()[0].state(), RunState::kTooLarge);
  EXPECT_EQ(count(s.scheduler, over), 4u);
  EXPECT_EQ(s.now, 5) << "the halves one after the other, the small one beside, then all";
}

TEST(Scheduler, SetsABadDeviceAsideWithoutLosingARun) {
  Simulation s(jobs_lasting(std::vector<double>(50, 1.0)), {{"good", 1}, {"bad", 1}}, {});
  s.bad = 1;
  s.run(always_done);
  EXPECT_TRUE(s.scheduler.set_aside(1));
  EXPECT_FALSE(s.scheduler.set_aside(0));
  EXPECT_EQ(s.scheduler.failed(), 0u);
  EXPECT_EQ(count(s.scheduler, over), 50u);
  EXPECT_LE(s.starts_on[1], 3);
}

TEST(Scheduler, StopsWhenTheLastDeviceFailsRunAfterRun) {
  Simulation s(jobs_lasting(std::vector<double>(50, 1.0)), {{"cpu", 1}}, {.retries = 0});
  s.bad = 0;
  s.run(always_done);
  EXPECT_TRUE(s.scheduler.set_aside(0));
  EXPECT_EQ(s.starts_on[0], 10);
  s.scheduler.retry(0);
  EXPECT_FALSE(s.scheduler.set_aside(0)) << "a user's retry";
  Simulation two(jobs_lasting(std::vector<double>(50, 1.0)), {{"a", 1}, {"b", 1}}, {.retries = 0});
  two.run([](std::size_t) { return RunState::kSignal; });
  EXPECT_EQ(two.starts_on[0], 3);
  EXPECT_EQ(two.starts_on[1], 10);
  Simulation some(jobs_lasting({3, 2, 1}), {{"cpu", 1}}, {.retries = 0, .last_device_fails = 2});
  some.run([](std::size_t job) { return job == 1 ? RunState::kDone : RunState::kSignal; });
  EXPECT_FALSE(some.scheduler.set_aside(0)) << "a run in between was done";
}

TEST(Scheduler, RunsOfADeviceThatIsSetAsideStartElsewhereAtOnce) {
  Scheduler scheduler(jobs_lasting({3, 2, 1}), {{"bad", 2}, {"good", 1}},
                      {.retries = 1, .device_fails = 2});
  for (int i = 0; i < 3; ++i) scheduler.next(0);
  scheduler.cancel(1);
  for (const std::size_t job : {0u, 1u, 2u}) scheduler.ended(job, RunState::kSignal, 0);
  ASSERT_TRUE(scheduler.set_aside(0));
  EXPECT_FALSE(scheduler.entries()[1].queued) << "cancelled";
  EXPECT_EQ(scheduler.next(0)->job, 0u);
  scheduler.ended(0, RunState::kSignal, 1);
  EXPECT_EQ(scheduler.next(1000)->job, 0u) << "its first failure was that of the device";
  scheduler.ended(0, RunState::kDone, 1000);
  EXPECT_EQ(scheduler.next(1000)->job, 2u) << "no other device is left";
}

TEST(Scheduler, ChangesSlotsWhileRunsContinue) {
  Scheduler scheduler(jobs_lasting({1, 1, 1}), {{"cpu", 1}}, {});
  ASSERT_TRUE(scheduler.next(0));
  EXPECT_FALSE(scheduler.next(0));
  scheduler.set_slots(0, 2);
  ASSERT_TRUE(scheduler.next(0));
  scheduler.set_slots(0, 1);
  scheduler.ended(0, RunState::kDone, 1);
  EXPECT_FALSE(scheduler.next(1)) << "one still runs";
  scheduler.pause(true);
  scheduler.ended(1, RunState::kDone, 1);
  EXPECT_FALSE(scheduler.next(1));
  scheduler.pause(false);
  EXPECT_TRUE(scheduler.next(1));
}

TEST(Scheduler, ACancelledRunThatIsRetriedWhileItEndsStartsAgain) {
  Scheduler scheduler(jobs_lasting({1, 1}), {{"cpu", 2}}, {});
  scheduler.next(0);
  scheduler.cancel(0);
  scheduler.cancel(1);
  EXPECT_EQ(scheduler.entries()[1].state(), RunState::kCancelled);
  EXPECT_FALSE(scheduler.next(0));
  scheduler.retry(0);
  scheduler.ended(0, RunState::kInterrupted, 1);
  EXPECT_EQ(scheduler.next(1)->job, 0u);
  scheduler.cancel(0);
  scheduler.ended(0, RunState::kSignal, 2);
  EXPECT_TRUE(scheduler.over()) << "a cancelled run does not start by itself";
  scheduler.retry(1);
  EXPECT_EQ(scheduler.next(2)->job, 1u);
}

TEST(Scheduler, ARunThatCouldNotStartYetGivesItsSlotBack) {
  Scheduler scheduler(jobs_lasting({2, 1}), {{"cpu", 1}}, {});
  EXPECT_EQ(scheduler.next(0)->job, 0u);
  scheduler.postpone(0, 5);
  EXPECT_EQ(scheduler.entries()[0].starts, 0);
  EXPECT_EQ(scheduler.next(0)->job, 1u);
  scheduler.ended(1, RunState::kDone, 1);
  EXPECT_FALSE(scheduler.next(1));
  EXPECT_EQ(scheduler.wake(1), 5);
  EXPECT_EQ(scheduler.next(5)->job, 0u);
}

// `begin` checks slots, memory and "never twice" at every start.
TEST(Scheduler, KeepsItsPromisesInThousandsOfSchedules) {
  for (unsigned seed = 1; seed <= 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return random() % n; };
    std::vector<Job> jobs;
    for (unsigned i = 0, n = 1 + below(60); i < n; ++i)
      jobs.push_back({std::to_string(i), 0.5 + below(20), 1.0 + below(6)});
    std::vector<Device> devices;
    for (unsigned i = 0, n = 1 + below(4); i < n; ++i)
      devices.push_back({std::to_string(i), 1 + static_cast<int>(below(3))});
    const bool bad = devices.size() > 1 && below(2) == 0;
    const Policy policy{.memory_bytes = below(2) == 0 ? 0.0 : 12.0, .last_device_fails = 1000};
    Simulation s(jobs, devices, policy);
    if (bad) s.bad = below(static_cast<unsigned>(devices.size()));
    std::map<std::size_t, int> tries;
    const unsigned share = below(4);
    s.run([&](std::size_t job) {
      return share > 0 && random() % (4 * share) == 0 && ++tries[job] <= 1 ? RunState::kNoRoom
                                                                           : RunState::kDone;
    });
    EXPECT_EQ(count(s.scheduler, over), jobs.size()) << "a run was lost";
    EXPECT_EQ(s.scheduler.failed(), 0u);
    EXPECT_TRUE(!bad || s.starts_on[s.bad] <= 3 + devices[s.bad].slots);
  }
}

}  // namespace runner
