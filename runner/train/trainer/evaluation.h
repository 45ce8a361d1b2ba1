// Evaluates checkpoints of a run on data that its configuration does not name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/events/evaluations.h"
#include "runner/base/random/split.h"

namespace runner {

struct EvaluationRequest {
  // KEY=VALUE with keys of the task or of beam search, eval.batch, eval.examples, run.threads or
  // system.chunk (attention within chunks; no tensor depends on it with bias=rotary)
  std::vector<std::string> settings;
  Split split = Split::kTest;
  std::string checkpoint = "best";  // or "last", or a step
};

// Returns the result, and stores it in the run's folder. Throws std::invalid_argument for an
// impossible request, DataMissing, results::BeingWritten while a process trains the run.
results::Evaluation evaluate_run(const std::filesystem::path& workspace, const std::string& id,
                                 const EvaluationRequest& request);

// Expands "task.length=[64,128]" to one word per value; other words stay. Values with commas are
// quoted.
std::vector<std::string> listed(const std::string& setting);

// Every combination of the values: {"a=[1,2]", "b=3"} gives {a=1, b=3} and {a=2, b=3}.
std::vector<std::vector<std::string>> crossed(const std::vector<std::string>& settings);

}  // namespace runner
