// A figure of characters, for a terminal or a pipe.
#pragma once

#include <string>

#include "results/figures/figure.h"
#include "runner/text/terminal.h"

namespace runner {

// Over numbers a plot with lines; over names a row for each, from the lowest seed to the highest.
// 80 columns if the width is unknown.
std::string figure_text(const results::Figure& figure, const Terminal& terminal);

}  // namespace runner
