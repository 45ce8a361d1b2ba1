// Decides which run starts where and when: a state machine without clock, processes or files. The
// caller reports ends and gets starts. Interrupted runs come first, then the longest. No barriers;
// slots and memory are never overcommitted.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/sweeps/plan/run_evidence.h"

namespace runner {

struct Job {
  std::string id;
  double seconds = 0;  // expected
  double memory_bytes = 0;
  results::RunState last = results::RunState::kNew;  // its state before this `lcsm run`
  bool cancelled = false;
  bool queued = true;  // false: it starts only when it is retried
};

struct Device {
  std::string name;  // "cpu", or a GPU's UUID
  int slots = 1;
};

struct Policy {
  double memory_bytes = 0;     // of the host, for all runs together; 0 = not guarded
  int retries = 2;             // of a run whose failure may be temporary
  double wait_seconds = 5;     // before the first retry; doubles each time
  int max_fails = 0;           // failed runs after which no run starts; 0 = no limit
  bool fail_fast = false;      // the first failed run ends the others
  int device_fails = 3;        // failures in a row that set a device aside ...
  int last_device_fails = 10;  // ... if it is the last one
};

class Scheduler {
 public:
  Scheduler(std::vector<Job> jobs, std::vector<Device> devices, Policy policy);

  struct Start {
    std::size_t job = 0, device = 0;
    int slot = 0;  // of the device
  };
  // A run to start now; nullopt: no run can start until one ends, or until `wake`.
  std::optional<Start> next(double now);
  void ended(std::size_t job, results::RunState end, double now);

  void stop() { stopped_ = true; }  // no run starts any more
  void pause(bool paused) { paused_ = paused; }
  void set_slots(std::size_t device, int slots);  // runs on the others continue
  void cancel(std::size_t job);  // prevents a start; the caller ends the run if it runs
  void retry(std::size_t job);   // starts the run as if for the first time, unless it is done
  void postpone(std::size_t job,
                double until);  // undoes the start that `next` has just returned

  // Undoes that start, too: the run has ended in another process, with this state.
  void settle(std::size_t job, results::RunState end);

  bool over() const;                             // no run is running, none will start
  bool end_running() const;                      // after a failure with fail_fast
  std::optional<double> wake(double now) const;  // when the next pending run may start

  struct Entry {
    Job job;
    results::RunState last = results::RunState::kNew;  // how it ended last
    bool queued = true;                                // it will start
    bool running = false;
    bool cancelled = false;
    int starts = 0, failures = 0;
    double not_before = 0;
    std::size_t device = 0;  // the last device
    int slot = 0;
    std::set<std::size_t> faults;  // devices on which it failed and that may be at fault
    bool retried = false;          // `retry` was called while it was ending

    results::RunState state() const { return state_of({last, running, cancelled, queued}); }
  };
  const std::vector<Entry>& entries() const { return entries_; }
  bool set_aside(std::size_t device) const { return devices_[device].aside; }
  std::size_t running() const;
  std::size_t failed() const;  // among started runs

 private:
  struct DeviceUse {
    Device device;
    std::set<int> used;                // slots
    std::vector<std::size_t> failing;  // runs that failed here since the last success
    bool aside = false;
  };
  bool fits(const Entry& entry) const;
  bool has_room(const DeviceUse& use) const;
  std::optional<std::size_t> device_for(const Entry& entry) const;
  Start start(std::size_t job, std::size_t device);
  void judge_device(DeviceUse& use, std::size_t job, const results::RunStateRow& end);
  void judge_run(Entry& entry, const results::RunStateRow& end, double now) const;
  void queue(Entry& entry) const;  // resets its failures

  std::vector<Entry> entries_;
  std::vector<std::size_t> order_;  // interrupted runs, then others; the longest first
  std::vector<DeviceUse> devices_;
  Policy policy_;
  bool stopped_ = false, paused_ = false;
};

}  // namespace runner
