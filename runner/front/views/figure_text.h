// Draws a figure with characters, for a terminal or a pipe.
#pragma once

#include <string>

#include "results/figures/figure.h"
#include "runner/base/text/terminal.h"

namespace runner {

// The figure's kind is a row of figure_text.cpp. 80 columns if the width is unknown.
std::string figure_text(const results::Figure& figure, const Terminal& terminal);

}  // namespace runner
