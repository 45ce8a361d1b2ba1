// What is done to a complete tape: fewer passes, few buffers.
#pragma once

#include "lcsm/tape/tape.h"

namespace lcsm {

// Merges a product that only one sum or exponential reads into it.
void fold_products(Tape* tape);

// Assigns buffers: as few as there are computed values alive at one time.
void give_slots(Tape* tape);

}  // namespace lcsm
