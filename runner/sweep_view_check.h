// Claims that could never be answered: they name what no point of the sweep has.
#pragma once

#include "runner/sweep_points.h"

namespace runner {

// Of the claims of the file `source`, for the sweep as it stands.
void note_unanswerable(const SweepViews& views, int source, const MergedSweep& sweep,
                       Mistakes& mistakes);

}  // namespace runner
