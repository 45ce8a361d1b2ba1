#include "runner/sweeps/language/views.h"

#include <toml++/toml.h>

#include <algorithm>

#include "results/figures/figure_kinds.h"
#include "runner/config/toml/config_toml.h"
#include "runner/sweeps/language/result_names.h"
#include "runner/sweeps/language/view_block.h"

namespace runner {
namespace {

results::TableSpec read_table_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("table", block, source, mistakes);
  results::TableSpec spec;
  spec.of_file = true;
  spec.title = in.text("title");
  spec.rows = in.names("rows", wrong_label);
  spec.columns = in.names("columns", wrong_label);
  spec.values = in.names("values", wrong_value);
  in.select(&spec.tuned, &spec.by);
  spec.where = in.where();
  spec.across = in.names("across", wrong_parameter);
  spec.matched = in.share("matched");
  spec.sort = in.text("sort", wrong_value);
  spec.statistic = in.text("statistic");
  in.checked("statistic", [&] { results::statistic_named(spec.statistic); });
  spec.baseline = in.text("baseline");
  spec.relative = in.text("relative");
  spec.mean = in.flag("mean", false);
  spec.decimals = in.whole("precision", 0, 17, -1);
  in.finish();
  for (const std::string& key : spec.rows)
    if (std::find(spec.columns.begin(), spec.columns.end(), key) != spec.columns.end())
      in.note("columns", "'" + key + "' is already in rows: rows and columns must differ");
  if (spec.mean && spec.columns.empty())
    in.note("mean", "expected columns to take the mean over, for example columns = \"task.name\"");
  return spec;
}

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
  in.checked("log", [&] { results::set_log(in.names("log"), &spec); });
  in.checked("band", [&] { spec.band = results::parse_band(in.text("band")); });
  spec.published = in.flag("published", true);
  in.select(&spec.tuned, &spec.by);
  spec.where = in.where();
  if (!spec.y.empty() && (over == results::Over::kNothing || !spec.x.empty()))
    in.checked("kind", [&] { results::check_figure(spec); });
  in.finish();
  return spec;
}

results::ClaimSpec read_claim_block(const toml::table& block, int source, Mistakes& mistakes) {
  ViewBlock in("claim", block, source, mistakes);
  results::ClaimSpec spec;
  in.require("claim", "\"1-9-1-0 < 1-1-1-0 in valid.ppl\"");
  spec.text = in.text("claim");
  spec.paper = in.text("paper");
  in.select(&spec.tuned, &spec.by);
  spec.over = in.names("over", wrong_parameter);
  spec.across = in.names("across", wrong_parameter);
  spec.matched = in.share("matched");
  spec.where = in.where();
  in.finish();
  if (spec.text.empty()) return spec;
  in.checked("claim", [&] {
    const results::ParsedClaim parsed = results::parse_claim(spec.text);
    const std::string key = parsed.key.empty() ? "" : wrong_parameter(parsed.key);
    const std::string metric = parsed.metric.empty() ? "" : wrong_metric(parsed.metric);
    for (const std::string& wrong : {key, metric})
      if (!wrong.empty()) in.note("claim", wrong);
  });
  return spec;
}

template <class Spec>
void add(Spec spec, Place place, const std::string& sweep, std::vector<View<Spec>>* into) {
  spec.sweep = sweep;
  into->push_back({std::move(spec), place});
}

}  // namespace

void read_view(std::string_view kind, const toml::table& block, int source, Mistakes& mistakes,
               SweepViews* views) {
  const toml::node* text = block.get("claim");
  const Place place = place_of(source, text != nullptr ? text->source() : block.source());
  if (kind == "table")
    add(read_table_block(block, source, mistakes), place, views->sweep, &views->tables);
  if (kind == "figure")
    add(read_figure_block(block, source, mistakes), place, views->sweep, &views->figures);
  if (kind == "claim")
    add(read_claim_block(block, source, mistakes), place, views->sweep, &views->claims);
}

void clear_views(std::string_view kind, SweepViews* views) {
  if (kind == "table") views->tables.clear();
  if (kind == "figure") views->figures.clear();
  if (kind == "claim") views->claims.clear();
}

}  // namespace runner
