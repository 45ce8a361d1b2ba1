#include "runner/base/process/batch_job.h"

#include <array>

#include "runner/base/process/process_facts.h"

namespace runner {
namespace {

// The environment variables with which a batch system describes the job; nullptr: it sets none.
struct BatchVariables {
  const char *job, *array, *task, *node;
};

// An engine without a batch system sets the variables of the first row itself.
constexpr std::array kBatchVariables = {
    BatchVariables{"LCSM_JOB", nullptr, nullptr, "LCSM_NODE"},
    BatchVariables{"SLURM_JOB_ID", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURMD_NODENAME"},
};

std::string value_of(const char* variable) {
  return variable == nullptr ? "" : environment_variable(variable);
}

}  // namespace

BatchJob this_batch_job() {
  BatchJob job;
  for (const BatchVariables& row : kBatchVariables) {
    const std::string array = value_of(row.array);
    if (job.id.empty())
      job.id = array.empty() ? value_of(row.job) : array + "_" + value_of(row.task);
    if (job.node.empty()) job.node = value_of(row.node);
  }
  if (job.node.empty()) job.node = host_name();
  return job;
}

}  // namespace runner
