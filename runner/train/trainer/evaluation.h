// Evaluates checkpoints of a run on data that its configuration does not name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/events/evaluations.h"
#include "runner/base/random/split.h"

namespace runner {

struct EvaluationRequest {
  // KEY=VALUE, of the task, eval.batch, eval.examples, those of beam search, run.threads or
  // system.chunk: what attention within chunks sees, which no tensor depends on if its places are
  // turned (bias=rotary)
  std::vector<std::string> settings;
  Split split = Split::kTest;
  std::string checkpoint = "best";  // or "last", or a step
};

// Returns the result, and keeps it in the run's folder. Throws std::invalid_argument for a request
// that this run cannot meet, DataMissing, results::BeingWritten while a process trains the run.
results::Evaluation evaluate_run(const std::filesystem::path& workspace, const std::string& id,
                                 const EvaluationRequest& request);

// "task.length=[64,128]" as one word for each value; a word without a list as it is. Values with
// commas are quoted.
std::vector<std::string> listed(const std::string& setting);

// Every combination of the values: {"a=[1,2]", "b=3"} gives {a=1, b=3} and {a=2, b=3}.
std::vector<std::vector<std::string>> crossed(const std::vector<std::string>& settings);

}  // namespace runner
