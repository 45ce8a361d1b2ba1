// Signals that ask a program to stop.
#pragma once

#include <csignal>
#include <map>

namespace runner {

// Sets signal handlers; the destructor restores the previous ones.
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

// Asks lcsm-train to write a checkpoint and end. Not SIGTERM, which Slurm and systemd send to all
// processes of a job: with a second one from `lcsm`, no run would write its checkpoint.
inline constexpr int kStopRequest = SIGUSR2;

// Makes SIGINT, SIGTERM, SIGUSR2 and SIGHUP (the terminal hung up) ask lcsm-train to stop at its
// next step. A second SIGINT or SIGTERM ends the process; a second SIGHUP does not, since both the
// kernel and the shell send it, nor a second SIGUSR2, which a cluster and `lcsm` may both send.
// SIGPIPE is ignored.
class StopSignals {
 public:
  StopSignals();  // one instance at a time

  static int received();  // the signal's number; 0: none yet

 private:
  SignalActions actions_;
};

// Counts requests to stop, SIGINT, SIGTERM and SIGUSR2, during its lifetime. SIGHUP counts once:
// when a terminal hangs up, both the kernel and the shell send it. SIGUSR1 is ignored.
class StopCounter {
 public:
  enum class Second { kCounts, kEnds };  // what a second SIGINT or SIGTERM does: kEnds the process
  explicit StopCounter(Second second = Second::kCounts);  // starts at 0, unless another one lives
  ~StopCounter();
  StopCounter(const StopCounter&) = delete;
  StopCounter& operator=(const StopCounter&) = delete;

  static int count();
  static bool warned();  // one request was SIGUSR2: the time limit is near

 private:
  SignalActions actions_;
};

}  // namespace runner
