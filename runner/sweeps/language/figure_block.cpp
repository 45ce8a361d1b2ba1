#include "runner/sweeps/language/figure_block.h"

#include "results/figures/figure_kinds.h"
#include "runner/sweeps/language/result_names.h"
#include "runner/sweeps/language/view_block.h"

namespace runner {

results::FigureSpec read_figure_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("figure", block, source, mistakes);
  results::FigureSpec spec;
  const results::FigureKind* kind = nullptr;
  in.checked("kind", [&] { kind = results::kind_named(in.text("kind")); });
  if (kind != nullptr) spec.kind = kind->name;
  const results::Over over = kind == nullptr ? results::Over::kNumbers : kind->over;
  const bool over_metric = over == results::Over::kMetric;
  if (over != results::Over::kNothing)
    in.require("x", over_metric ? "\"params\"" : "\"model.d\", or \"step\"");
  in.require("y", "\"valid.ppl\"");
  spec.title = in.text("title");
  spec.x = in.text("x", over_metric ? wrong_value : wrong_axis);
  spec.y = in.text("y", wrong_metric);
  spec.series = in.names("series", wrong_parameter);
  spec.facets = in.names("facets", wrong_parameter);
  for (const std::string& axis : in.names("log")) {
    spec.log_x = spec.log_x || axis == "x";
    spec.log_y = spec.log_y || axis == "y";
    if (axis != "x" && axis != "y") in.note("log", "expected \"x\" or \"y\", got '" + axis + "'");
  }
  in.checked("band", [&] { spec.band = results::parse_band(in.text("band")); });
  spec.published = in.flag("published", true);
  in.select(&spec.tuned, &spec.by);
  spec.where = in.where();
  if (!spec.y.empty() && (over == results::Over::kNothing || !spec.x.empty()))
    in.checked("kind", [&] { results::check_figure(spec); });
  in.finish();
  return spec;
}

}  // namespace runner
