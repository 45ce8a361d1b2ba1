// Figures that no workspace can produce.
#pragma once

#include "results/figures/figure.h"

namespace results {

// Names that a script, a format string or a page could interpret.
inline Figure hostile_figure() {
  const std::string bad =
      "''it's''\x1b[2J `touch x` \"$(touch x)\" @m %s%n {/=99 x}^2 \\\n' system 'touch x' "
      "#<script>&";
  Figure figure{.title = bad, .x = bad, .y = bad};
  figure.x_names = {bad, "100 %s%n"};
  figure.series = {bad, bad + "2"};
  figure.notes = {bad};
  for (const std::size_t i : {0, 1})
    figure.panels.push_back(
        {bad, {{i, {{0, 1, 0.5, 2, 3, "m", bad, 1.5}, {1, 2, 2, 2, 1, "", bad, {}}}, {}}}});
  figure.has_published = true;
  return figure;
}

}  // namespace results
