// Sets signal handlers; the destructor restores the previous ones.
#pragma once

#include <csignal>
#include <map>

namespace runner {

class SignalActions {
 public:
  SignalActions() = default;
  SignalActions(const SignalActions&) = delete;
  SignalActions& operator=(const SignalActions&) = delete;
  ~SignalActions() {
    for (const auto& [number, action] : before_) sigaction(number, &action, nullptr);
  }

  void set(int number, void (*handler)(int), int flags = 0) {
    struct sigaction action = {}, before = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(number, &action, &before);
    before_.emplace(number, before);
  }

  // An ignored signal stays ignored: nohup ignores SIGHUP on purpose.
  void set_unless_ignored(int number, void (*handler)(int), int flags = 0) {
    struct sigaction before = {};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) set(number, handler, flags);
  }

 private:
  std::map<int, struct sigaction> before_;
};

}  // namespace runner
