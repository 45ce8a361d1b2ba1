// The states of a job in Slurm, as squeue and sacct of any version write them.
#pragma once

#include <string_view>

namespace runner {

enum class JobPhase {
  kWaiting,  // has no node yet, or no longer
  kRunning,
  kEnded,
  kUnclear,  // a state that this program does not know
};

struct JobStateRow {
  std::string_view name, letters;  // "PENDING", "PD"
  JobPhase phase = JobPhase::kUnclear;
  std::string_view words;  // "was cancelled"
};

// "RUNNING", "R", "CANCELLED by 1000", "CANCELLED+" (cut off by sacct), "running".
const JobStateRow& job_state(std::string_view text);

}  // namespace runner
