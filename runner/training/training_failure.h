// What an exception means for the run that it ends.
#pragma once

#include <string>

#include "results/events/event.h"
#include "runner/process/run_end.h"

namespace runner {

struct TrainingFailure {
  RunEnd end;
  results::Ending ending;  // of the attempt, in the event file
  std::string message;
};

// Of the exception that is being handled.
TrainingFailure current_failure();

}  // namespace runner
