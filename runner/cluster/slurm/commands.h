// Calls Slurm's programs as any user could: in the C locale, with our own formats and with
// timeouts. Errors say what to do.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runner/base/process/command.h"
#include "runner/cluster/slurm/cluster_limits.h"
#include "runner/cluster/slurm/job_rows.h"

namespace runner {

class SlurmError : public std::runtime_error {
 public:
  enum Kind { kRefused, kUnsure, kAbsent };
  SlurmError(const std::string& what, Kind kind) : std::runtime_error(what), kind_(kind) {}
  // True if the command may have succeeded although its answer was lost.
  bool unsure() const { return kind_ == kUnsure; }
  bool absent() const { return kind_ == kAbsent; }  // this host has no Slurm

 private:
  Kind kind_;
};

// Everything below throws SlurmError.

// Lists all jobs of this user with one call of squeue, including those that ended in the last
// minutes (MinJobAge).
std::vector<JobRow> queued_jobs();
std::string queue_listing();  // as squeue prints it

// Queries sacct for these jobs or, if `jobs` is empty, for all jobs with this name since 1970;
// nullopt if accounting is off.
std::optional<std::vector<JobRow>> accounted_jobs(const std::vector<std::string>& jobs,
                                                  const std::string& name = "");

ClusterConfig read_cluster_config();

// Queries nothing if accounting is off.
AccountLimits read_account_limits(const ClusterConfig& config, const std::string& account,
                                  const std::string& qos);

// `options` of sbatch, then the script's file. Returns the job's number.
std::string submit_job(const std::vector<std::string>& options, const std::string& script);

// Cancels "123" or "123_4". Jobs that have ended are skipped; with `waiting`, so are running array
// tasks.
void cancel_jobs(const std::vector<std::string>& jobs, bool waiting = false);

}  // namespace runner
