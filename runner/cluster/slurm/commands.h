// Slurm's programs, called as any user could call them: in the C locale, with formats of ours, with
// a time limit, and with errors that say what to do.
#pragma once

#include <functional>
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
  // It may have been done all the same: the answer was lost.
  bool unsure() const { return kind_ == kUnsure; }
  bool absent() const { return kind_ == kAbsent; }  // this host has no Slurm

 private:
  Kind kind_;
};

// Everything below throws SlurmError.

// All jobs of this user, those that ended in the last minutes (MinJobAge) included: one call of
// squeue.
std::vector<JobRow> queued_jobs();
std::string queue_listing();  // the same as squeue prints it

// The same of sacct, of these jobs or, without any, of those with this name since 1970; nullopt
// where accounting is off.
std::optional<std::vector<JobRow>> accounted_jobs(const std::vector<std::string>& jobs,
                                                  const std::string& name = "");

ClusterConfig read_cluster_config();

// Asks only where accounting is on.
AccountLimits read_account_limits(const ClusterConfig& config, const std::string& account,
                                  const std::string& qos);

// `options` of sbatch, then the script's file. Returns the job's number.
std::string submit_job(const std::vector<std::string>& options, const std::string& script);

// "123", "123_4". Jobs that have ended are passed over; with `waiting`, also elements that run.
void cancel_jobs(const std::vector<std::string>& jobs, bool waiting = false);
void requeue_job(const std::string& job);

// What to do about a message of a program of Slurm; "" if unknown.
std::string slurm_advice(const std::string& message);

}  // namespace runner
