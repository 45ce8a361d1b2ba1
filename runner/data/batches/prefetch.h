// Generates the batches of the next steps on its own thread while a step is computed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "runner/data/batches/task_data.h"

namespace runner {

class Prefetch {
 public:
  using Make = std::function<std::vector<Batch>(std::int64_t step)>;

  // `last`: the last step to read ahead. `depth` 0: each batch is made on demand.
  Prefetch(Make make, std::int64_t depth, std::int64_t last);
  ~Prefetch();
  Prefetch(const Prefetch&) = delete;

  // The batches of a step, as make() returns them. Steps are expected in order; any other step
  // drops what was read ahead. Throws what make() threw.
  std::vector<Batch> take(std::int64_t step);

 private:
  struct Made {
    std::vector<Batch> parts;
    std::exception_ptr error;
  };
  template <class Condition>
  void wait(std::unique_lock<std::mutex>& lock, Condition condition);
  void start(std::int64_t step);
  void stop();
  void work();

  Make make_;
  std::int64_t depth_, last_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Made> made_;   // of the steps front_, front_ + 1 ...
  std::int64_t front_ = 0;  // 0: nothing is read ahead
  bool ends_ = false;
  std::thread thread_;
};

inline Prefetch::Prefetch(Make make, std::int64_t depth, std::int64_t last)
    : make_(std::move(make)), depth_(depth), last_(last) {}

inline Prefetch::~Prefetch() { stop(); }

// wait() without a timeout needs the libstdc++ of GCC 12; packages must run with GCC 11's.
template <class Condition>
void Prefetch::wait(std::unique_lock<std::mutex>& lock, Condition condition) {
  while (!changed_.wait_for(lock, std::chrono::hours(1), condition)) continue;
}

inline void Prefetch::start(std::int64_t step) {
  stop();
  made_.clear();
  front_ = step;
  ends_ = false;
  thread_ = std::thread([this] { work(); });
}

inline void Prefetch::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// The thread sleeps while enough batches are ready, so it takes a core from the step only to
// generate batches.
inline void Prefetch::work() {
  std::unique_lock lock(mutex_);
  for (std::int64_t step = front_; step <= last_; ++step) {
    wait(lock, [&] { return ends_ || static_cast<std::int64_t>(made_.size()) < depth_; });
    if (ends_) return;
    lock.unlock();
    Made made;
    try {
      made.parts = make_(step);
    } catch (...) {
      made.error = std::current_exception();
    }
    const bool failed = made.error != nullptr;
    lock.lock();
    made_.push_back(std::move(made));
    changed_.notify_all();
    if (failed) return;
  }
}

inline std::vector<Batch> Prefetch::take(std::int64_t step) {
  if (depth_ == 0 || step > last_) {
    stop();
    front_ = 0;
    return make_(step);
  }
  if (front_ != step) start(step);
  std::unique_lock lock(mutex_);
  wait(lock, [this] { return !made_.empty(); });
  Made made = std::move(made_.front());
  made_.pop_front();
  ++front_;
  lock.unlock();
  changed_.notify_all();
  if (made.error) {
    front_ = 0;
    std::rethrow_exception(made.error);
  }
  return std::move(made.parts);
}

}  // namespace runner
