// The job arrays of submissions, as noted in `submissions/TOKEN/jobs.json`: before sbatch that an
// array is wanted, after it the number of its job.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
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

// All of a workspace, the oldest first. A folder without a note was never submitted: it is left
// out.
std::vector<Submitted> read_submitted(const std::filesystem::path& workspace);

// The ids of its runs. Throws std::runtime_error.
std::vector<std::string> submitted_runs(const std::filesystem::path& workspace,
                                        const std::string& token);

// Notes the jobs of arrays that the queue shows though their numbers were lost. Returns whether
// there were any.
bool find_jobs(const std::vector<JobRow>& rows, Submitted* submitted);

// The elements of a submission, as the queue shows them.
struct ElementCounts {
  std::int64_t waiting = 0, running = 0, unknown = 0;
  std::vector<std::string> jobs;   // those that are not over
  std::vector<std::string> nodes;  // where they run
  std::string reason, start;       // of one that waits
  std::string account, qos;

  std::int64_t alive() const { return waiting + running + unknown; }
};
ElementCounts elements_of(const std::vector<JobRow>& rows, const Submitted& submitted);

// Whether its elements, of which none is in the queue, have left nothing here, not even a log: they
// never began, or on nodes that do not see this workspace.
bool left_nothing(const std::filesystem::path& workspace, const std::vector<JobRow>& rows,
                  const Submitted& submitted);

}  // namespace runner
