// Lets a diagnostic see values inside a model without passing it through any interface.
#pragma once

#include <functional>
#include <utility>

namespace lcsm {

// Until it is destroyed, each `Observer<Facts...>::see(facts...)` in this thread calls `saw`,
// except inside `saw` itself.
template <class... Facts>
class Observer {
 public:
  explicit Observer(std::function<void(const Facts&...)> saw)
      : saw_(std::move(saw)), before_(std::exchange(current_, this)) {}
  ~Observer() { current_ = before_; }
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  static bool is_there() { return current_ != nullptr; }
  static void see(const Facts&... facts) {
    if (current_ == nullptr) return;
    Observer* const now = std::exchange(current_, nullptr);
    now->saw_(facts...);
    current_ = now;
  }

 private:
  const std::function<void(const Facts&...)> saw_;
  Observer* const before_;
  static inline thread_local Observer* current_ = nullptr;
};

}  // namespace lcsm
