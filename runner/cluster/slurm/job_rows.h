// The jobs of a user as squeue and sacct list them.
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
  std::string reason;         // of squeue, while it waits
  std::string node;           // "" while it waits
  std::string start;          // local time, as Slurm prints it; "" if Slurm does not know it
  std::string account, qos;   // "" if there are none
  std::string name, comment;  // as submitted
};

// For `squeue --format` and `sacct --format`, with '|' between the fields. Free text is last.
inline constexpr const char* kSqueueFormat = "%i|%T|%r|%N|%S|%a|%q|%j|%k";
inline constexpr const char* kSacctFormat =
    "JobID,State,NodeList,Start,Account,QOS,JobName,Comment";

// Lines that are none of a job are passed over: wrappers of squeue print such, and sacct steps.
std::vector<JobRow> parse_squeue(std::string_view text);
std::vector<JobRow> parse_sacct(std::string_view text);

}  // namespace runner
