#include "runner/training/prefetch.h"

#include <utility>

namespace runner {

Prefetch::Prefetch(Make make, std::int64_t depth, std::int64_t last)
    : make_(std::move(make)), depth_(depth), last_(last) {}

Prefetch::~Prefetch() { stop(); }

void Prefetch::start(std::int64_t step) {
  stop();
  made_.clear();
  front_ = step;
  ends_ = false;
  thread_ = std::thread([this] { work(); });
}

void Prefetch::stop() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// It sleeps while enough is made, so it takes no core from the step but for the batches themselves.
void Prefetch::work() {
  std::unique_lock lock(mutex_);
  for (std::int64_t step = front_; step <= last_; ++step) {
    changed_.wait(lock, [&] { return ends_ || static_cast<std::int64_t>(made_.size()) < depth_; });
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

std::vector<Batch> Prefetch::take(std::int64_t step) {
  if (depth_ == 0 || step > last_) {
    stop();
    front_ = 0;
    return make_(step);
  }
  if (front_ != step) start(step);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !made_.empty(); });
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
