// What befalls a process that trains beside its own end: its time is over, nobody wants it any
// more, it stands still, it says too much. Clock and signals are the caller's.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runner/process/child_process.h"

namespace runner {

struct KeeperLimits {
  double timeout_seconds = 0;  // of one process; 0 = none
  double grace_seconds = 60;   // between the signal that asks and the one that kills
  double still_seconds = 600;  // without an event and without processor time; 0 = never told
  std::uintmax_t log_bytes = 64'000'000;
};

class RunKeeper {
 public:
  explicit RunKeeper(const KeeperLimits& limits) : limits_(limits) {}

  void started(std::size_t job, pid_t process, const std::filesystem::path& folder, double now);

  // What is to be done at this time.
  struct Order {
    std::size_t job = 0;
    int signal = 0;    // 0: none
    std::string said;  // may be empty
  };
  std::vector<Order> look(double now);

  // The caller asks the process to end, which is to mean `instead`; after the grace `look` says to
  // kill it.
  void asked(std::size_t job, const Ended& instead, double now);

  bool was_asked(std::size_t job) const;

  // What its end means: one that was asked to end is not to blame for it.
  Ended ended(std::size_t job, const Ended& ended);

 private:
  struct Kept {
    pid_t process = 0;
    std::filesystem::path folder;
    double started = 0;
    bool asked = false, killed = false;
    Ended instead;  // its end, once it was asked
    double asked_at = 0;
    double next_look = 0, moved_at = 0;  // for standing still
    std::int64_t events = -1, used = -1;
    bool told_still = false;
  };
  static void asked_to_end(Kept& kept, const Ended& instead, double now);
  void look_at_time(std::size_t job, Kept& kept, double now, std::vector<Order>& orders) const;
  void look_at_progress(std::size_t job, Kept& kept, double now, std::vector<Order>& orders) const;

  KeeperLimits limits_;
  std::map<std::size_t, Kept> kept_;
};

// Takes the middle out of a log that is longer than `limit`, and says so in its place. Whoever
// appends to it meanwhile goes on. Returns how many bytes went.
std::uintmax_t shorten_log(const std::filesystem::path& log, std::uintmax_t limit);

}  // namespace runner
