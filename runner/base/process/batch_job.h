// The job of a batch system, or of an engine, that this process is part of.
#pragma once

#include <string>

namespace runner {

struct BatchJob {
  std::string id;    // "12_3" for a task of an array, "12"; empty: none
  std::string node;  // the host as the batch system names it, otherwise as it names itself
};

BatchJob this_batch_job();

}  // namespace runner
