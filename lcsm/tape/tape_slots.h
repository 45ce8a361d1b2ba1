// What is done to a tape when it is written: fewer passes, few buffers.
#pragma once

#include "lcsm/tape/tape.h"

namespace lcsm {

// A product that only a sum or an exponential reads is taken there.
void fold_products(Tape* tape);

// As few buffers as there are computed values alive at one time.
void give_slots(Tape* tape);

}  // namespace lcsm
