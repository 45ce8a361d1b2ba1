// The jobs of a user, as squeue and sacct list them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runner/cluster/slurm/job_id.h"
#include "runner/cluster/slurm/job_state.h"

namespace runner {

struct JobRow {
  JobId id;
  const JobStateRow* state = nullptr;
  std::string reason;         // squeue's reason, while the job is pending
  std::string node;           // "" while it waits
  std::string start;          // local time, as Slurm prints it; "" if Slurm does not know it
  std::string account, qos;   // "" if there are none
  std::string name, comment;  // as submitted
};

// The formats of `squeue --format` and `sacct --format`: fields separated by '|', free text last.
inline constexpr const char* kSqueueFormat = "%i|%T|%r|%N|%S|%a|%q|%j|%k";
inline constexpr const char* kSacctFormat =
    "JobID,State,NodeList,Start,Account,QOS,JobName,Comment";

// Skips lines that are not jobs: wrappers of squeue print some, and sacct lists steps.
std::vector<JobRow> parse_squeue(std::string_view text);
std::vector<JobRow> parse_sacct(std::string_view text);

}  // namespace runner
