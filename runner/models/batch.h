// What a step or an evaluation takes at a time: inputs, and what they should give.
#pragma once

#include "runner/models/inputs.h"

namespace runner {

struct Batch {
  Inputs inputs;
  at::Tensor rows;     // [N]: the positions in [B T] that are scored; undefined: all
  at::Tensor targets;  // [N]; of several values a position, theirs one after the other
};

}  // namespace runner
