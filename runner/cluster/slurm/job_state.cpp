#include "runner/cluster/slurm/job_state.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace runner {
namespace {

using enum JobPhase;

constexpr JobStateRow kUnknownState{"UNKNOWN", "", kUnclear, "is in a state unknown to lcsm"};

// job_state_string of Slurm 16.05 to 25.05.
constexpr std::array kStates = {
    JobStateRow{"PENDING", "PD", kWaiting, "waits"},
    JobStateRow{"RUNNING", "R", kRunning, "is running"},
    JobStateRow{"SUSPENDED", "S", kRunning, "is suspended"},
    JobStateRow{"COMPLETED", "CD", kEnded, "has ended"},
    JobStateRow{"CANCELLED", "CA", kEnded, "was cancelled"},
    JobStateRow{"FAILED", "F", kEnded, "failed"},
    JobStateRow{"TIMEOUT", "TO", kEnded, "reached its time limit"},
    JobStateRow{"NODE_FAIL", "NF", kEnded, "lost its node"},
    JobStateRow{"PREEMPTED", "PR", kEnded, "was preempted"},
    JobStateRow{"BOOT_FAIL", "BF", kEnded, "ended because its node did not boot"},
    JobStateRow{"DEADLINE", "DL", kEnded, "passed its deadline"},
    JobStateRow{"OUT_OF_MEMORY", "OOM", kEnded, "ran out of memory"},
    JobStateRow{"LAUNCH_FAILED", "LF", kEnded, "could not be launched on its node"},
    JobStateRow{"RECONFIG_FAIL", "RC", kEnded, "ended because its node could not be reconfigured"},
    JobStateRow{"REVOKED", "RV", kEnded, "runs on another cluster"},
    JobStateRow{"CONFIGURING", "CF", kWaiting, "is waiting for its node to be ready"},
    JobStateRow{"POWER_UP_NODE", "PU", kWaiting, "is waiting for its node to power up"},
    JobStateRow{"COMPLETING", "CG", kRunning, "is ending"},
    JobStateRow{"RESIZING", "RS", kRunning, "is changing its size"},
    JobStateRow{"SIGNALING", "SI", kRunning, "is being signalled"},
    JobStateRow{"STAGE_OUT", "SO", kRunning, "is copying its files"},
    JobStateRow{"STOPPED", "ST", kRunning, "is stopped"},
    JobStateRow{"EXPEDITING", "EX", kWaiting, "is waiting to be requeued immediately"},
    JobStateRow{"REQUEUED", "RQ", kWaiting, "was requeued"},
    JobStateRow{"REQUEUE_FED", "RF", kWaiting, "was requeued"},
    JobStateRow{"REQUEUE_HOLD", "RH", kWaiting, "was requeued and is held"},
    JobStateRow{"RESV_DEL_HOLD", "RD", kWaiting, "is held: its reservation was deleted"},
    JobStateRow{"SPECIAL_EXIT", "SE", kWaiting, "was requeued and is held"},
};

bool same(std::string_view text, std::string_view name) {
  const auto equal = [](unsigned char a, unsigned char b) { return std::toupper(a) == b; };
  return std::ranges::equal(text, name, equal);
}

}  // namespace

const JobStateRow& job_state(std::string_view text) {
  const std::string_view word = text.substr(0, text.find_first_of(" +,"));
  for (const JobStateRow& row : kStates)
    if (same(word, row.name) || same(word, row.letters)) return row;
  constexpr std::size_t kLeast = 6;  // letters of a name that a column cut off
  for (const JobStateRow& row : kStates)
    if (text.ends_with('+') && word.size() >= kLeast && same(word, row.name.substr(0, word.size())))
      return row;
  return kUnknownState;
}

}  // namespace runner
