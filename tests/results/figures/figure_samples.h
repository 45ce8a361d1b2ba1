// Figures that no workspace can produce, and runs for every kind of figure.
#pragma once

#include "results/figures/figure_kinds.h"
#include "results/store/fold.h"
#include "results/store/store.h"
#include "tests/results/fixture.h"

namespace results {

// Names that a script, a format string or a page could interpret.
inline Figure hostile_figure(const std::string& kind = "") {
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
  if (kind.empty()) return figure;
  figure.kind = kind;
  figure.series_key = bad;
  figure.keys = {bad, bad};
  for (FigurePanel& panel : figure.panels)
    for (FigurePoint& point : panel.series[0].points) point.labels = {bad, "d"};
  if (kind == "scatter") figure.x_names.clear();
  if (kind == "parallel") figure.x_names.push_back(bad);
  return figure;
}

// A grid of two codes, two widths, three rates and two seeds. The perplexity is the sum of one
// effect per parameter and an interaction of code and width.
inline void grid_runs(const std::filesystem::path& workspace) {
  int number = 0;
  for (const std::string code : {"1-1-1-0", "1-9-1-0"})
    for (const std::int64_t d : {64, 128})
      for (const double lr : {1e-3, 3e-3, 1e-2})
        for (const std::int64_t seed : {1, 2}) {
          const bool other = code == "1-9-1-0", wide = d == 128;
          const double ppl = 20 + (other ? 4 : 0) + (wide ? 2 : 0) + (other && wide ? 2 : 0) +
                             (lr == 1e-3   ? 3
                              : lr == 1e-2 ? 1
                                           : 0) +
                             0.1 * (seed == 1 ? 1 : -1);
          write_run(workspace, {.number = ++number,
                                .code = code,
                                .sweep = "grid",
                                .lr = lr,
                                .seed = seed,
                                .valid = {ppl},
                                .test = ppl + 1,
                                .more = {{"model.d", d}}});
        }
}

inline Figure of_grid(FigureSpec spec) {
  const Scratch scratch;
  grid_runs(scratch.path());
  fold(scratch.path());
  spec.sweep = "grid";
  return make_figure(*open_for_reading(scratch.path()), kTestRoles, spec);
}

// A figure of each kind that is not a series over x.
inline std::vector<Figure> grid_figures() {
  return {
      of_grid({.title = "Cells",
               .x = "optim.lr",
               .y = "valid.ppl",
               .series = {"model.d"},
               .facets = {"model.code"},
               .kind = "heatmap"}),
      of_grid({.title = "Pairs", .x = "valid.ppl", .y = "test.ppl", .kind = "scatter"}),
      of_grid({.title = "Groups", .y = "valid.ppl", .kind = "parallel"}),
      of_grid({.title = "Shares", .y = "valid.ppl", .kind = "importance"}),
  };
}

}  // namespace results
