// Estimates how long a layer remembers at the start of training, from the gate's initial values.
#pragma once

#include <cstdint>

#include "lcsm/code/variant.h"

namespace lcsm {

struct InitialDecay {
  enum class Kind : std::uint8_t {
    kGate,      // each cell decays by its own mean of log |o|
    kHarmonic,  // a running softmax: after n tokens, half is forgotten in n more, in addition to
                // what the rest of the gate forgets
    kMatrix,    // the gate is a matrix
  };
  Kind kind = Kind::kGate;
  double centre = 1;  // o, or |o| if it rotates, with data at 0 and every random draw at its mean,
                      // in cell (0, 0)
  // Half-life in tokens over cells: 10th percentile, median, 90th; infinite = never forgets.
  double low = 0, median = 0, high = 0;
};

// Over 256 cells, each for 32 steps of unit-variance input (what a norm passes to the layer).
InitialDecay initial_decay(const Variant& variant);

double half_life(double mean_log_o);           // tokens until half is left
double kept(double half_life, double tokens);  // fraction that is left

}  // namespace lcsm
