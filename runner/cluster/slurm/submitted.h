// The job arrays of submissions, as noted in `submissions/TOKEN/jobs.json`: the array before sbatch
// is called, the number of its job after it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/cluster/slurm/job_rows.h"

namespace runner {

struct SubmittedArray {
  std::int64_t elements = 0;
  std::string job;  // "123"; empty: not known to be submitted
};

struct Submitted {
  std::string token, sweep, profile;
  std::vector<SubmittedArray> arrays;
  std::string by, time;  // "ada@abacus", "2026-01-31T12:00:00Z"

  bool complete() const;  // every array has a job
};

void write_submitted(const std::filesystem::path& workspace, const Submitted& submitted);

// Returns all submissions of a workspace, the oldest first. A folder without jobs.json was never
// submitted and is left out.
std::vector<Submitted> read_submitted(const std::filesystem::path& workspace);

// Finds the jobs of arrays in the queue whose numbers were lost. Returns true if there were any.
bool find_jobs(const std::vector<JobRow>& rows, Submitted* submitted);

// The array tasks of a submission, as the queue shows them.
struct ElementCounts {
  std::int64_t waiting = 0, running = 0, unknown = 0;
  std::vector<std::string> jobs;  // jobs that are not over
  std::string reason, start;      // of a pending task
  std::string account, qos;

  std::int64_t alive() const { return waiting + running + unknown; }
};
ElementCounts elements_of(const std::vector<JobRow>& rows, const Submitted& submitted);

// True if an array task of the submission began.
bool has_log(const std::filesystem::path& workspace, const Submitted& submitted);

// True if array tasks that are no longer in the queue left no file here, not even a log: they never
// began, or ran on nodes that do not see this workspace.
bool left_nothing(const std::filesystem::path& workspace, const std::vector<JobRow>& rows,
                  const Submitted& submitted);

}  // namespace runner
