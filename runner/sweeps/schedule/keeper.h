// Decides when a training process must be signaled, and reports timeouts, ignored cancels, stalls
// and overlong logs. The caller has the clock and sends the signals.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runner/base/process/child_process.h"

namespace runner {

struct RunLimits {
  double timeout_seconds = 0;  // per process; 0 = none
  double grace_seconds = 60;   // between the request to end and the kill
  double stall_seconds = 600;  // without an event and without CPU time; 0 = never reported
  std::uintmax_t log_bytes = 64'000'000;
};

class RunKeeper {
 public:
  explicit RunKeeper(const RunLimits& limits) : limits_(limits) {}

  void started(std::size_t job, pid_t process, const std::filesystem::path& folder, double now);

  struct Order {
    std::size_t job = 0;
    int signal = 0;    // 0: none
    std::string text;  // for the user
  };
  std::vector<Order> check(double now);

  // Called when the caller sends kStopRequest. The end counts as `meaning`; the first meaning of a
  // run wins. After the grace period `check` requests SIGKILL.
  void end(std::size_t job, const Ended& meaning, double now);
  bool is_ending(std::size_t job) const;

  // Classifies the end of the job's process, and forgets the job.
  Ended ended(std::size_t job, const Ended& ended);

 private:
  struct Kept {
    pid_t process = 0;
    std::filesystem::path folder;
    double started = 0;
    bool ending = false, killed = false;
    Ended meaning;  // of an end that was requested
    double requested_at = 0;
    double next_check = 0, moved_at = 0;  // of progress
    std::int64_t events = -1, used = -1;
    bool reported_stall = false;
  };
  static void request_end(Kept& kept, const Ended& meaning, double now);
  void check_time(std::size_t job, Kept& kept, double now, std::vector<Order>& orders) const;
  void check_progress(std::size_t job, Kept& kept, double now, std::vector<Order>& orders) const;

  RunLimits limits_;
  std::map<std::size_t, Kept> kept_;
};

// Replaces the middle of a log that is longer than `limit` by a note, while a process may append to
// it. Returns the bytes removed: 0 if the file system cannot collapse a range.
std::uintmax_t shorten_log(const std::filesystem::path& log, std::uintmax_t limit);

}  // namespace runner
