// `lcsm report`: writes a sweep on one page.
#include "results/report/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "lcsm/files/whole_file.h"
#include "results/figures/figure_script.h"
#include "runner/base/text/terminal.h"
#include "runner/config/keys/roles.h"
#include "runner/config/toml/oscillation_search.h"
#include "runner/front/curves/curves_json.h"
#include "runner/front/curves/curves_page.h"
#include "runner/front/curves/stored_sweep.h"
#include "runner/front/options/result_candidates.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/front/views/gnuplot.h"
#include "runner/front/views/report_gates.h"
#include "runner/front/views/scope.h"
#include "runner/front/views/view_results.h"

namespace runner {
namespace {

constexpr const char* kReportFooter = R"text(Examples:
  lcsm report quickstart > quickstart.html
  lcsm report mine.toml --out mine.html
  lcsm report quickstart --curves --out curves.html

The page is self-contained. Its tables, figures and claims come from the sweep file; without one, it
has what `lcsm table` shows and the first validation metric over steps. --curves writes the page of
`lcsm serve` as it is now: every metric of every run, to zoom and filter in a browser.)text";

struct ReportOptions {
  std::string sweep, out, workspace;
  bool curves = false;
  SweepRequest request{.scale = ""};
};

// The first validation metric of a table's columns.
std::string validation_metric(const results::Table& table) {
  for (const results::TableColumn& column : table.columns)
    if (column.value.starts_with("valid.")) return results::parse_value(column.value).metric;
  return "";
}

// The page has the sweep's title, and the claims before the tables.
void put_tables(results::Database& database, const SweepViews& views, results::Report* report) {
  report->tables = table_results(database, views);
  report->claims = std::exchange(report->tables.back().claims, {});
  for (std::size_t i = 0; i < report->tables.size(); ++i) {
    if (report->title.empty()) report->title = report->tables[i].title;
    report->tables[i].title = views.tables[i].title;
  }
}

void put_figure(results::Database& database, const results::FigureSpec& spec,
                results::Report* report) {
  results::Figure figure = results::make_figure(database, kRoles, spec);
  figure.title = spec.title;
  report->figures.push_back({std::move(figure), ""});
}

void add_views(results::Database& database, const SweepViews& views, const Scope& scope,
               results::Report* report) {
  report->title = views.title;
  put_tables(database, views, report);
  for (const results::FigureSpec& spec : views.figures) put_figure(database, spec, report);
  const std::string metric = validation_metric(report->tables[0]);
  if (report->figures.empty() && !metric.empty()) {
    results::FigureSpec spec{
        .sweep = views.sweep, .x = std::string(results::kStepAxis), .y = metric, .scope = scope};
    put_figure(database, spec, report);
  }
}

void draw_all(results::Report* report) {
  if (!has_gnuplot(&report->no_pictures)) return;
  int number = 0;
  for (results::ReportFigure& one : report->figures)
    one.svg = results::page_svg(draw(results::figure_script(one.figure, results::Canvas::kInline)),
                                ++number);
}

// The gates in a sweep's files, which have the help texts.
lcsm::Catalogue gates_in_files(const std::string& sweep) {
  const auto silent = [](const std::string&) {};
  try {
    return load_catalogue(
        sweep.ends_with(".toml") ? std::vector{sweep} : std::vector<std::string>(), silent);
  } catch (const std::exception&) {
    return {};  // the report works without them
  }
}

std::string report_page(const ReportOptions& options, results::Database& database,
                        const SweepViews& views, const Scope& scope) {
  results::Report made;
  made.sweep = views.sweep;
  made.question = views.question;
  add_views(database, views, scope, &made);
  made.gates = report_gates(database, views.sweep, scope.only, gates_in_files(options.sweep));
  for (const results::Table& table : made.tables)
    made.sizes.push_back(results::report_sizes(database, kRoles, table));
  made.setup = results::report_setup(database, views.sweep, scope.only);
  made.runs = results::report_runs(database, kRoles, views.sweep, scope.only);
  made.environments = results::report_environments(database, views.sweep, scope.only);
  made.published =
      results::report_published(database, views.paper.empty() ? made.tables[0].paper : views.paper);
  draw_all(&made);
  if (!made.no_pictures.empty()) fmt::print(stderr, "no figures: {}\n", made.no_pictures);
  return results::report_html(made);
}

std::string still_curves(const std::filesystem::path& workspace, results::Database& database,
                         const SweepViews& views, const Scope& scope) {
  const PanelModel model = stored_sweep(database, workspace, views.sweep, scope.only);
  return curves_page(views.sweep, current_curves_json(model, workspace, false));
}

void report(const ReportOptions& options) {
  const std::string end = std::filesystem::path(options.out).extension().string();
  if (!options.out.empty() && end != ".html" && end != ".htm")
    throw std::invalid_argument("expected --out with a file name ending in .html, got '" +
                                options.out + "'");
  if (options.out.empty() && out_terminal().tty)
    throw std::invalid_argument("expected --out FILE.html, or a pipe: got a terminal");
  if (options.curves && options.sweep.empty())
    throw std::invalid_argument("expected a sweep with --curves: 'lcsm sweeps' lists them");
  SweepRequest request = options.request;
  request.workspace = workspace_of(options.workspace);
  const auto database = open_results(request.workspace);
  Scope scope;
  const SweepViews views = find_views(options.sweep, request, *database, &scope);
  const std::string page = options.curves ? still_curves(request.workspace, *database, views, scope)
                                          : report_page(options, *database, views, scope);
  if (options.out.empty())
    fmt::print("{}", page);
  else
    lcsm::write_whole(options.out, page);
}

}  // namespace

void add_report(Verb& program) {
  Verb& verb =
      program.verb("report", "Write a sweep's claims, tables and figures as one HTML page");
  ReportOptions& options = verb.runs(report);
  verb.argument("sweep", &options.sweep, "The sweep, or its file (default: all runs)")
      .type("SWEEP")
      .completes(sweep_candidates);
  add_request_options(verb, &options.request);
  verb.flag("--curves", &options.curves, "Write the curves of all runs instead");
  verb.option("--out", &options.out, "Write to this file").type("FILE");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kReportFooter);
}

}  // namespace runner
