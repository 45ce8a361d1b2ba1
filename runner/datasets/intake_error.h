// Why a file of others is not taken.
#pragma once

#include <stdexcept>

namespace runner {

// what() is a sentence: which file, where in it, what was expected, what was found.
struct IntakeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace runner
