// Classifies the exception that ended a run.
#pragma once

#include <string>

#include "runner/base/process/run_end.h"

namespace runner {

struct TrainingFailure {
  results::RunState end;
  std::string message;
};

// Classifies the exception that is being handled.
TrainingFailure current_failure();

}  // namespace runner
