// The error for a published file that cannot be imported.
#pragma once

#include "runner/data/tasks/data_search.h"

namespace runner {

// what() says in a sentence: file, position, expected, found.
struct IntakeError : DataMissing {
  using DataMissing::DataMissing;
};

}  // namespace runner
