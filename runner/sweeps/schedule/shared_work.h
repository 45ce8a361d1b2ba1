// Settings of a process that shares its runs with others: the array tasks of a submission.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace runner {

struct SharedWork {
  std::string submission = {};
  double beat = 10, silence = 120;     // as in a claim
  std::int64_t fruitless = 3;          // attempts in a row without a step: the run has failed
  std::optional<double> seconds = {};  // after which it starts no run
};

}  // namespace runner
