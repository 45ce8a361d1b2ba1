// Reads [[figure]] blocks of a sweep file.
#pragma once

#include "results/figures/figure.h"
#include "runner/config/toml/config_mistakes.h"
#include "runner/config/toml/toml_names.h"

namespace runner {

// The caller sets the sweep.
results::FigureSpec read_figure_block(const toml::table& block, int source, Mistakes& mistakes);

}  // namespace runner
