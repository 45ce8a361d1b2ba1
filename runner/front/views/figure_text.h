// Draws a figure with characters, for a terminal or a pipe.
#pragma once

#include <string>
#include <string_view>

#include "results/figures/figure.h"
#include "runner/base/text/terminal.h"

namespace runner {

// 80 columns if the width is unknown. Throws std::invalid_argument for a kind that only gnuplot
// draws.
std::string figure_text(const results::Figure& figure, const Terminal& terminal);

// False for a kind that only gnuplot draws, such as heatmap. An empty kind is the default.
bool is_drawn_as_text(std::string_view kind);

}  // namespace runner
