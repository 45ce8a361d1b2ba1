#pragma once

#include <stdexcept>

namespace lcsm {

// One sentence: the file, what was expected, what was found, what to do.
class SafeTensorsError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace lcsm
