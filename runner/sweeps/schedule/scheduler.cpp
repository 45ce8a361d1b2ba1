#include "runner/sweeps/schedule/scheduler.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace runner {

Scheduler::Scheduler(std::vector<Job> jobs, std::vector<Device> devices, Policy policy)
    : policy_(policy) {
  for (Job& job : jobs) {
    Entry entry;
    entry.job = std::move(job);
    entry.last = entry.job.last;
    entry.cancelled = entry.job.cancelled;
    entry.queued = false;
    if (entry.job.queued) queue(entry);
    entries_.push_back(std::move(entry));
  }
  for (Device& device : devices) devices_.push_back({std::move(device), {}, {}, false});
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  const auto begun = [](const Job& job) {
    return results::counted_as(job.last) == results::RunState::kInterrupted;
  };
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
    const Job &first = entries_[a].job, &second = entries_[b].job;
    return begun(first) == begun(second) ? first.seconds > second.seconds : begun(first);
  });
}

bool Scheduler::fits(const Entry& entry) const {
  if (policy_.memory_bytes <= 0) return true;
  double used = entry.job.memory_bytes;
  for (const Entry& other : entries_)
    if (other.running) used += other.job.memory_bytes;
  return used <= policy_.memory_bytes;
}

bool Scheduler::has_room(const DeviceUse& use) const {
  return !use.aside && static_cast<int>(use.used.size()) < use.device.slots;
}

// The device with the most free slots. A run is not retried on a device where it failed if there is
// another.
std::optional<std::size_t> Scheduler::device_for(const Entry& entry) const {
  bool untried = false;
  for (std::size_t i = 0; i < devices_.size(); ++i)
    untried = untried || (!devices_[i].aside && !entry.faults.contains(i));
  std::optional<std::size_t> best;
  const auto room = [this](std::size_t i) {
    return devices_[i].device.slots - static_cast<int>(devices_[i].used.size());
  };
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (!has_room(devices_[i]) || (untried && entry.faults.contains(i))) continue;
    if (!best || room(i) > room(*best)) best = i;
  }
  return best;
}

std::optional<Scheduler::Start> Scheduler::next(double now) {
  const bool room = std::any_of(devices_.begin(), devices_.end(),
                                [this](const DeviceUse& use) { return has_room(use); });
  if (stopped_ || paused_ || !room) return std::nullopt;
  for (const std::size_t i : order_) {
    Entry& entry = entries_[i];
    if (!entry.queued || entry.not_before > now || !fits(entry)) continue;
    if (const std::optional<std::size_t> device = device_for(entry)) return start(i, *device);
  }
  return std::nullopt;
}

Scheduler::Start Scheduler::start(std::size_t job, std::size_t device) {
  Entry& entry = entries_[job];
  std::set<int>& used = devices_[device].used;
  int slot = 0;
  while (used.contains(slot)) ++slot;
  used.insert(slot);
  entry.queued = false;
  entry.running = true;
  entry.device = device;
  entry.slot = slot;
  ++entry.starts;
  return {job, device, slot};
}

void Scheduler::ended(std::size_t job, results::RunState end, double now) {
  Entry& entry = entries_[job];
  devices_[entry.device].used.erase(entry.slot);
  entry.running = false;
  entry.last = end;
  judge_run(entry, row_of(end), now);
  judge_device(devices_[entry.device], job, row_of(end));
  const auto fails = static_cast<int>(failed());
  if (fails > 0 && (policy_.fail_fast || (policy_.max_fails > 0 && fails >= policy_.max_fails)))
    stopped_ = true;
}

void Scheduler::judge_run(Entry& entry, const results::RunStateRow& end, double now) const {
  if (end.state == results::RunState::kDone) return;
  if (entry.retried) return queue(entry);
  entry.failures += has_failed(end.state) || end.retried;
  if (end.device) entry.faults.insert(entry.device);
  if (!end.retried || entry.failures > policy_.retries || entry.cancelled) return;
  entry.queued = true;
  entry.not_before = now + policy_.wait_seconds * std::pow(2, entry.failures - 1);
}

// Excludes a device on which run after run fails. These runs are not at fault and start elsewhere.
void Scheduler::judge_device(DeviceUse& use, std::size_t job, const results::RunStateRow& end) {
  if (!end.device) {
    if (end.state == results::RunState::kDone) use.failing.clear();
    return;
  }
  use.failing.push_back(job);
  const bool others = std::any_of(devices_.begin(), devices_.end(), [&](const DeviceUse& other) {
    return &other != &use && !other.aside;
  });
  const int most = others ? policy_.device_fails : policy_.last_device_fails;
  if (static_cast<int>(use.failing.size()) < most) return;
  use.aside = true;
  for (const std::size_t failed : use.failing) {
    Entry& entry = entries_[failed];
    if (entry.running || entry.last == results::RunState::kDone) continue;
    entry.failures = std::max(0, entry.failures - 1);
    if (others && !entry.cancelled && row_of(entry.last).device) entry.queued = true;
    if (others && entry.queued) entry.not_before = 0;
  }
  use.failing.clear();
}

void Scheduler::cancel(std::size_t job) {
  Entry& entry = entries_[job];
  entry.cancelled = true;
  entry.retried = false;
  entry.queued = false;
}

// A retry by the user clears the failures of the devices too.
void Scheduler::retry(std::size_t job) {
  Entry& entry = entries_[job];
  entry.retried = entry.running && entry.cancelled;
  entry.cancelled = false;
  if (entry.running || entry.last == results::RunState::kDone) return;
  queue(entry);
  for (DeviceUse& use : devices_) use.aside = false;
}

void Scheduler::queue(Entry& entry) const {
  entry.queued = policy_.memory_bytes <= 0 || entry.job.memory_bytes <= policy_.memory_bytes;
  if (!entry.queued) entry.last = results::RunState::kTooLarge;
  entry.failures = 0;
  entry.not_before = 0;
  entry.faults.clear();
  entry.retried = false;
}

void Scheduler::postpone(std::size_t job, double until) {
  Entry& entry = entries_[job];
  devices_[entry.device].used.erase(entry.slot);
  entry.running = false;
  entry.queued = true;
  entry.not_before = until;
  --entry.starts;
}

void Scheduler::settle(std::size_t job, results::RunState end) {
  postpone(job, 0);
  entries_[job].queued = false;
  entries_[job].last = end;
}

void Scheduler::set_slots(std::size_t device, int slots) {
  devices_[device].device.slots = std::max(0, slots);
}

std::size_t Scheduler::running() const {
  return static_cast<std::size_t>(std::count_if(entries_.begin(), entries_.end(),
                                                [](const Entry& entry) { return entry.running; }));
}

std::size_t Scheduler::failed() const {
  return static_cast<std::size_t>(std::count_if(
      entries_.begin(), entries_.end(),
      [](const Entry& entry) { return entry.starts > 0 && has_failed(entry.state()); }));
}

bool Scheduler::end_running() const { return policy_.fail_fast && failed() > 0; }

bool Scheduler::over() const {
  if (running() > 0) return false;
  const bool somewhere = std::any_of(devices_.begin(), devices_.end(),
                                     [](const DeviceUse& use) { return !use.aside; });
  const bool waiting = std::any_of(entries_.begin(), entries_.end(),
                                   [](const Entry& entry) { return entry.queued; });
  return stopped_ || !somewhere || !waiting;
}

std::optional<double> Scheduler::wake(double now) const {
  std::optional<double> first;
  for (const Entry& entry : entries_)
    if (entry.queued && entry.not_before > now)
      first = std::min(first.value_or(entry.not_before), entry.not_before);
  return first;
}

}  // namespace runner
