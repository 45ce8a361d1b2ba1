// `lcsm figure`: draws a sweep's metrics.
#include "results/figures/figure.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "lcsm/files/whole_file.h"
#include "results/figures/figure_kinds.h"
#include "results/figures/figure_script.h"
#include "runner/base/process/exit_code.h"
#include "runner/config/keys/roles.h"
#include "runner/front/options/result_candidates.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/front/views/figure_text.h"
#include "runner/front/views/gnuplot.h"
#include "runner/front/views/scope.h"
#include "runner/front/views/table_change.h"

namespace runner {
namespace {

constexpr const char* kFigureFooter = R"text(Examples:
  lcsm figure quickstart                                 in the terminal, with characters
  lcsm figure table4-o-types --y valid.ppl > types.svg      over training steps
  lcsm figure figure3 --x model.d --y test.accuracy --series model.code --facets task.length
  lcsm figure quickstart --number 1 --out quickstart.png    the first figure of its file
  lcsm figure quickstart --y valid.loss --log x,y --format csv   its numbers
  lcsm figure figure3 --kind heatmap --x optim.lr --series model.d --out cells.svg
  lcsm figure figure3 --kind scatter --x params --y test.accuracy    cost against quality
  lcsm figure figure3 --kind parallel --out lines.svg    all parameters, one line per combination
  lcsm figure figure3 --kind importance                  which parameters mattered

The figures are the sweep file's, and the options override them, unless --x, --y or one of the kinds
heatmap, scatter, parallel and importance asks for a new one. With --number, all options override
that figure. Runs are averaged, selected and marked as in `lcsm table`.)text";

struct FigureOptions {
  results::FigureSpec spec;
  SweepRequest request{.scale = ""};
  std::vector<std::string> where, log;
  std::string band, format, out, workspace;
  bool no_published = false;
  int number = 0;  // 0: all of the sweep's file
};

// True if figures of a sweep file, over a parameter or the steps, can be of this kind.
bool suits_files(const std::string& name) {
  const results::FigureKind* const kind = results::kind_named(name);
  return kind == nullptr || kind->over == results::Over::kNumbers ||
         kind->over == results::Over::kNames;
}

bool has_no_x(const std::string& name) {
  const results::FigureKind* const kind = results::kind_named(name);
  return kind != nullptr && kind->over == results::Over::kNothing;
}

// Options on the command line override the figure; all else stays.
void change(const FigureOptions& options, results::FigureSpec* spec) {
  const results::FigureSpec& given = options.spec;
  set_if_given(given.title, &spec->title);
  if (has_no_x(given.kind)) spec->x.clear();
  set_if_given(given.x, &spec->x);
  set_if_given(given.y, &spec->y);
  set_if_given(given.series, &spec->series);
  set_if_given(given.facets, &spec->facets);
  set_if_given(given.kind, &spec->kind);
  set_if_given(given.tuned, &spec->tuned);
  set_if_given(given.by, &spec->by);
  if (!options.band.empty()) spec->band = results::parse_band(options.band);
  results::set_log(options.log, spec);
  if (options.no_published) spec->published = false;
  for (auto& one : conditions(options.where)) spec->where.push_back(std::move(one));
}

// The metric of the sweep's first figure, or of its first table; otherwise the first validation
// metric.
std::string usual_metric(const SweepViews& views, const Scope& scope) {
  if (!views.figures.empty()) return views.figures[0].y;
  for (const std::vector<std::string>& names : {views.tables[0].values, scope.expected})
    for (const std::string& name : names)
      if (name.starts_with("valid.")) return results::parse_value(name).metric;
  return "";
}

// The figures of the sweep's file; a new figure if the file has none, or with --x, --y or a kind
// that differs from the file's.
std::vector<results::FigureSpec> figures_of(const FigureOptions& options, const SweepViews& views,
                                            const Scope& scope) {
  const std::size_t count = views.figures.size();
  const auto number = static_cast<std::size_t>(options.number);
  const bool theirs =
      options.spec.x.empty() && options.spec.y.empty() && suits_files(options.spec.kind);
  if (number == 0 && (!theirs || count == 0)) {
    results::FigureSpec spec{.sweep = views.sweep, .scope = scope};
    if (suits_files(options.spec.kind)) spec.x = results::kStepAxis;
    spec.y = usual_metric(views, scope);
    return {spec};
  }
  if (number > count)
    throw std::invalid_argument(
        fmt::format("expected a sweep file with figure {}, got {}", number, count));
  if (number > 0) return {views.figures[number - 1]};
  return {views.figures.begin(), views.figures.end()};
}

std::vector<results::FigureSpec> specs_of(const FigureOptions& options, const SweepRequest& request,
                                          results::Database& database) {
  Scope scope;
  const SweepViews views = find_views(options.spec.sweep, request, database, &scope);
  std::vector<results::FigureSpec> specs = figures_of(options, views, scope);
  for (results::FigureSpec& spec : specs) change(options, &spec);
  return specs;
}

std::string format_of(const FigureOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string end = std::filesystem::path(options.out).extension().string();
  for (const char* format : {"svg", "png", "pdf", "csv", "gp"})
    if (end == std::string(".") + format) return format;
  if (end == ".txt") return "text";
  if (options.out.empty()) return out_terminal().tty ? "text" : "svg";
  throw std::invalid_argument(
      "expected a file name ending in .svg, .png, .pdf, .csv, .gp or .txt, got '" + options.out +
      "'");
}

std::string drawn(const results::Figure& figure, const std::string& format,
                  const Terminal& terminal) {
  using results::Canvas;
  if (format == "text") return figure_text(figure, terminal);
  if (format == "csv") return results::figure_csv(figure);
  if (format == "gp") return results::figure_script(figure, Canvas::kSvg);
  if (format == "png") return draw(results::figure_script(figure, Canvas::kPng));
  if (format == "pdf") return results::tidy_pdf(draw(results::figure_script(figure, Canvas::kPdf)));
  return results::tidy_svg(draw(results::figure_script(figure, Canvas::kSvg)));
}

// If there are several figures, shows the others.
void leave_out_pictures(std::vector<results::FigureSpec>* specs) {
  std::erase_if(*specs, [](const results::FigureSpec& spec) {
    const bool left_out = !is_drawn_as_text(spec.kind);
    if (left_out)
      fmt::print(stderr, "not shown: {} of {}: use --number and --out FILE.svg\n", spec.kind,
                 spec.y);
    return left_out;
  });
}

void figure(const FigureOptions& options) {
  const std::string format = format_of(options);
  const bool binary = format == "png" || format == "pdf";
  if (binary && options.out.empty() && isatty(STDOUT_FILENO) != 0)
    throw std::invalid_argument("expected --out FILE, or a pipe, for a " + format +
                                ": got a terminal");
  SweepRequest request = options.request;
  request.workspace = workspace_of(options.workspace);
  const auto database = open_results(request.workspace);
  std::vector<results::FigureSpec> specs = specs_of(options, request, *database);
  if (format != "text") specs.resize(1);  // a file holds one picture
  if (specs.size() > 1) leave_out_pictures(&specs);
  if (format == "csv") specs[0].scope.names.clear();  // data has the original names
  std::string text;
  for (const results::FigureSpec& spec : specs)
    text +=
        (text.empty() ? "" : "\n\n") + drawn(results::make_figure(*database, kRoles, spec), format,
                                             options.out.empty() ? out_terminal() : Terminal{});
  if (options.out.empty())
    fmt::print("{}", text);
  else
    lcsm::write_whole(options.out, text);
}

void add_axes(Verb& verb, FigureOptions* options) {
  results::FigureSpec& spec = options->spec;
  verb.argument("sweep", &spec.sweep, "The sweep, or its file (default: all runs)")
      .type("SWEEP")
      .completes(sweep_candidates);
  verb.option("--x", &spec.x, "A parameter or step (default: step); for a scatter plot, a metric")
      .type("KEY")
      .completes(axis_candidates);
  verb.option("--y", &spec.y, "A metric (default: the sweep file's, or a validation metric)")
      .type("METRIC")
      .completes(metric_candidates);
  verb.option("--series", &spec.series,
              "One line per value (default: all that vary; scatter: the model's name)")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--facets", &spec.facets, "One panel per value")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--log", &options->log, "Logarithmic axes: x, y, x,y or none")
      .type("AXES")
      .separated_by(',');
  verb.option("--tune", &spec.tuned, "Select the best value of these parameters")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--select", &spec.by, "Validation metric to select by")
      .type("NAME")
      .completes(selecting_candidates);
  verb.option("--where", &options->where,
              "Only runs with this value, or one of [A,B]; may be repeated")
      .type("KEY=VALUE")
      .completes(where_candidates);
  verb.option("--title", &spec.title, "Title (default: the sweep's)").type("TEXT");
}

}  // namespace

void add_figure(Verb& program) {
  Verb& verb = program.verb("figure", "Draw a sweep's results");
  FigureOptions& options = verb.runs(figure);
  add_axes(verb, &options);
  add_request_options(verb, &options.request);
  verb.option("--band", &options.band, "Band around the mean (default: range)")
      .choices(choices_of(results::kBands));
  verb.option("--kind", &options.spec.kind,
              "Kind of figure (default: lines over numbers, dots over names)")
      .choices(choices_of(results::kFigureKinds));
  verb.flag("--no-published", &options.no_published, "Leave out published numbers");
  verb.option("--number", &options.number,
              "Which figure of the sweep's file (default: the first; text: all)")
      .range(1, 99);
  verb.option("--format", &options.format, "Output format (default: text on a terminal, else svg)")
      .choices({{"svg"},
                {"text", "drawn with characters"},
                {"png"},
                {"pdf", "for LaTeX, 16 cm wide"},
                {"csv", "the numbers"},
                {"gp", "the gnuplot script"}});
  verb.option("--out", &options.out, "Write to this file; its extension sets the format")
      .type("FILE");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kFigureFooter);
}

}  // namespace runner
