// Optimizes a complete tape: fewer passes, fewer buffers.
#pragma once

#include "lcsm/tape/tape.h"

namespace lcsm {

// Merges a product into the only sum or exponential that reads it.
void fold_products(Tape* tape);

// Assigns buffers, which values share if they are not alive at the same time.
void give_slots(Tape* tape);

}  // namespace lcsm
