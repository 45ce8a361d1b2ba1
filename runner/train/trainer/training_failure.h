// How a run ends by an exception.
#pragma once

#include <string>

#include "runner/base/process/run_end.h"

namespace runner {

struct TrainingFailure {
  results::RunState end;
  std::string message;
};

// For the exception that is being handled.
TrainingFailure current_failure();

}  // namespace runner
