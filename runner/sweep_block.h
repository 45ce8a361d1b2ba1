// A [[table]], [[figure]] or [[claim]] of a sweep, as it was written.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "runner/config_mistakes.h"

namespace runner {

struct SweepBlock {
  std::string kind;  // "table", "figure", "claim"
  int source = -1;   // of the sweep's Mistakes; its own places are those of `table`
  toml::table table;
};

}  // namespace runner
