// Parses a user's jobs as listed by any version of squeue and sacct: ids, states, rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace runner {

struct JobId {
  std::string job;                  // "123"; the whole array's for an array task
  bool is_array = false;            // then:
  std::vector<std::int64_t> tasks;  // indices, ascending; a long list may be cut off
};

// "123", "123_4", "123_[0-40%8]", "123_[0-9:3,20,30-31%2]", "123_[1,2,...]", "123+1" (a part of a
// job on several clusters' nodes). nullopt: none of these, such as a step "123.batch".
std::optional<JobId> parse_job_id(std::string_view text);

// Returns the job id that `sbatch --parsable` printed, "123" or "123;cluster", after anything that
// a wrapper printed before.
std::optional<std::string> submitted_job(std::string_view output);

enum class JobPhase {
  kWaiting,  // has no node yet, or lost its node
  kRunning,
  kEnded,
  kUnclear,  // a state that this program does not know
};

struct JobStateRow {
  std::string_view name, letters;  // "PENDING", "PD"
  JobPhase phase = JobPhase::kUnclear;
};

// "RUNNING", "R", "CANCELLED by 1000", "CANCELLED+" (cut off by sacct), "running".
const JobStateRow& job_state(std::string_view text);

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
