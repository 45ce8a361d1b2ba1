// The error for a published file that cannot be imported.
#pragma once

#include "runner/data/tasks/data_search.h"

namespace runner {

// what() is a sentence: which file, where in it, what was expected, what was found.
struct IntakeError : DataMissing {
  using DataMissing::DataMissing;
};

}  // namespace runner
