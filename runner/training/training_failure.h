// What an exception means for the run that it ends.
#pragma once

#include <string>

#include "runner/process/run_end.h"

namespace runner {

struct TrainingFailure {
  results::RunState end;
  std::string message;
};

// Of the exception that is being handled.
TrainingFailure current_failure();

}  // namespace runner
