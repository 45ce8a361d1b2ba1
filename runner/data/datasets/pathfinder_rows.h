// The sizes of Pathfinder in the Long Range Arena.
#pragma once

#include "runner/data/datasets/pathfinder.h"

namespace runner {

// size, padding, margins, dash and its width, seeds, marker, distractors, continuity, contrasts
inline constexpr PathfinderOptions kPathfinder32{32, 1, 1, 1, 2, 0.5, 7, 1.5, 5, 1.0, 2.0, 0.75},
    kPathfinder64{64, 1, 1, 1, 5, 1.0, 12, 2.5, 5, 1.8, 0.8, 1.0},
    kPathfinder128{128, 1, 2, 3, 5, 1.5, 20, 3.0, 8, 1.8, 0.9, 1.0},
    kPathfinder256{256, 22, 3, 3, 5, 2.0, 27, 5.0, 7, 1.8, 1.0, 1.0};

}  // namespace runner
