// `lcsm table`: prints a sweep's means over seeds, beside the published numbers.
#include "results/tables/table.h"

#include <fmt/format.h>

#include <system_error>

#include "lcsm/base/words.h"
#include "lcsm/files/read_file.h"
#include "results/tables/table_formats.h"
#include "results/tables/table_steps.h"
#include "results/text/escape.h"
#include "results/text/number_text.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/terminal.h"
#include "runner/front/options/result_candidates.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/front/views/several_sweeps.h"
#include "runner/front/views/table_change.h"
#include "runner/front/views/table_text.h"
#include "runner/front/views/view_results.h"
#include "runner/sweeps/language/result_names.h"

namespace runner {
namespace {

constexpr const char* kTableFooter = R"text(Examples:
  lcsm table quickstart                        the tables and claims of its file
  lcsm table table4-o-types --rows model.code --values valid.ppl@best,test.ppl
  lcsm table figure3 --columns task.length --tune optim.lr --baseline 1-1-1-0
  lcsm table quickstart mine.toml --rows model.code --columns sweep
  lcsm table quickstart mine.toml --claim '1-floored-1-2 > 1-3-1-2 in test.accuracy'
  lcsm table quickstart --statistic iqm        with bootstrap intervals
  lcsm table table4-o-types --matched 0.05     compare models of one size
  lcsm table quickstart --format tex > quickstart.tex
  lcsm table quickstart --check quickstart.md  fails when the file is stale
  lcsm table quickstart --cell 1-3-1-2,test.accuracy   the runs behind a number

Only finished runs are averaged. Cells with no finished run show a running one. Missing and unequal
runs are marked, and the marks in use are explained below the table.

Options override the sweep file: --rows, --columns and --values change the first table, or the one
chosen with --number, and "" stands for the default. Several sweeps share the tables of the first
one; `sweep` may be a row or a column. Rows keep the order of the file's lists.

For a tuned parameter (optim.lr, if it varies and is neither a row nor a column), the best value is
the one with the best first validation metric, averaged over seeds, never a test metric. All values
of the cell are taken at this choice.)text";

constexpr const char* kCellSchema = "lcsm.cell/1";

struct TableOptions {
  results::TableSpec spec;
  SweepRequest request{.scale = ""};
  std::vector<std::string> sweeps, where, claims;
  std::string format = "text", cell, check, workspace;
  bool notes = false;
  double matched = -1;  // -1: as in the sweep's file
  int number = 0;       // 0: all tables of the sweep's file
};

std::string in_format(const results::Table& table, const std::string& format, bool notes) {
  if (format == "csv") return results::table_csv(table);
  if (format == "md") return results::table_markdown(table);
  if (format == "json") return results::table_json(table);
  if (format == "tex") return results::table_tex(table, notes);
  if (format == "html") return results::table_html(table);
  return table_text(table, out_terminal());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

// csv and json hold one table; the other formats may hold several.
void expect_one_table(const std::vector<results::Table>& tables, const std::string& format) {
  if (tables.size() > 1 && (format == "csv" || format == "json"))
    throw std::invalid_argument(
        fmt::format("expected --number 1 to {}, one of the sweep's tables, "
                    "got none: {} holds one",
                    tables.size(), format));
}

std::string in_format(const std::vector<results::Table>& tables, const std::string& format,
                      bool notes) {
  expect_one_table(tables, format);
  return lcsm::joined_of(
      tables, [&](const results::Table& table) { return in_format(table, format, notes); }, "\n");
}

// Compares with a file; its extension is the format.
void check_file(const std::vector<results::Table>& tables, const std::string& file, bool notes) {
  std::string had;
  try {
    had = lcsm::read_file(file);
  } catch (const std::system_error& error) {
    throw Failure(ExitCode::kMissing,
                  fmt::format("--check: expected a file to compare with, got: {}", error.what()));
  }
  const std::string end = file.substr(std::min(file.rfind('.') + 1, file.size()));
  const std::string has = in_format(tables, end, notes);
  if (had == has) return;
  const std::vector<std::string> before = lines_of(had), now = lines_of(has);
  for (std::size_t i = 0; i < std::max(before.size(), now.size()); ++i) {
    const std::string old = i < before.size() ? before[i] : "",
                      fresh = i < now.size() ? now[i] : "";
    if (old == fresh) continue;
    if (i < before.size()) fmt::print("- {}\n", results::safe_text(old));
    if (i < now.size()) fmt::print("+ {}\n", results::safe_text(fresh));
  }
  throw Failure(ExitCode::kFailed, fmt::format("{} is stale", file));
}

bool has(const std::vector<std::string>& labels, const std::string& label) {
  return std::any_of(labels.begin(), labels.end(),
                     [&](const std::string& one) { return results::same_value(one, label); });
}

std::vector<std::string> shown_labels(const results::Table& table, std::size_t row) {
  std::vector<std::string> labels = table.rows[row];
  for (std::string& label : labels) label = results::shown_name(table.names, label);
  return labels;
}

// ", such as 1-3-1-2,test.ppl"; "" for an empty table.
std::string such_as(const results::Table& table) {
  if (table.rows.empty() || table.rows[0].empty() || table.columns.empty()) return "";
  return ", such as " + lcsm::joined(shown_labels(table, 0), ",") + "," +
         header_of(table, table.columns[0]);
}

bool is_row(const results::Table& table, std::size_t row, const std::string& name) {
  for (const auto& labels : {table.rows[row], shown_labels(table, row)})
    if (has(labels, name) || lcsm::joined(labels, ",") == name) return true;
  return false;
}

// A value, a column's label, its header or the beginning of the header; "" is every column.
bool is_column(const results::Table& table, const results::TableColumn& column,
               const std::string& name) {
  return name.empty() || column.value == name || has(column.labels, name) ||
         (header_of(table, column) + " ").starts_with(name + " ");
}

// The runs behind the cells of a row and a column.
results::Grid cells_of(const results::Table& table, const std::string& row,
                       const std::string& column) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    if (is_row(table, r, row)) rows.push_back(r);
  results::Grid grid{{"value", "seed", "status", "commit", "run", "column", "chosen"}, {}};
  if (rows.size() > 1) grid.headers.push_back("row");
  for (const std::size_t r : rows)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!is_column(table, table.columns[c], column)) continue;
      const results::TableCell& cell = table.cells[r][c];
      for (const results::Sample& sample : cell.samples) {
        grid.rows.push_back({sample.value ? results::Cell{*sample.value} : results::Cell{},
                             sample.seed, std::string(stored_name(sample.state)), sample.commit,
                             sample.id, header_of(table, table.columns[c]), cell.chosen});
        if (rows.size() > 1) grid.rows.back().push_back(lcsm::joined(table.rows[r], ","));
      }
    }
  return grid;
}

// "ROW,COLUMN", in which a row may have commas. Prints the runs of each table that has the cell.
void print_cells(const std::vector<results::Table>& tables, const std::string& place,
                 const std::string& format) {
  if (format == "tex" || format == "html")
    throw std::invalid_argument("expected --format text, md, csv or json with --cell, got " +
                                format);
  expect_one_table(tables, format);
  bool found = false;
  for (const results::Table& table : tables) {
    results::Grid grid = cells_of(table, place, "");
    for (std::size_t at = 0; grid.rows.empty() && (at = place.find(',', at)) != place.npos; ++at)
      grid = cells_of(table, place.substr(0, at), place.substr(at + 1));
    if (grid.rows.empty()) continue;
    found = true;
    print_grid(grid, format, kCellSchema);
  }
  if (!found)
    throw std::invalid_argument("expected ROW,COLUMN of the table" + such_as(tables[0]) +
                                ", got '" + place + "'");
}

using Names = std::vector<std::string>;

// The tables of the sweep's file as the command line changes them.
std::vector<View<results::TableSpec>> specs_of(const TableOptions& options,
                                               const SweepViews& views) {
  const results::TableSpec& given = options.spec;
  const std::size_t count = views.tables.size(), number = static_cast<std::size_t>(options.number);
  if (number > count)
    throw std::invalid_argument(
        fmt::format("expected a sweep with table {}, got one with {}", number, count));
  std::vector<View<results::TableSpec>> specs = views.tables;
  const bool other_cells = !given.rows.empty() || !given.columns.empty() || !given.values.empty();
  if (number > 0 || other_cells) specs = {views.tables[number > 0 ? number - 1 : 0]};
  bool sorted = false;
  for (results::TableSpec& spec : specs) {
    change_table(given, &spec);
    if (options.matched >= 0) spec.matched = options.matched;
    const Names& values = spec.values;
    const bool has = std::find(values.begin(), values.end(), given.sort) != values.end();
    sorted = sorted || has || values.empty();
    if (!given.sort.empty() && (has || values.empty())) spec.sort = given.sort;
    for (auto& one : conditions(options.where)) spec.where.push_back(std::move(one));
  }
  if (!given.sort.empty() && !sorted) specs[0].sort = given.sort;  // refused there
  return specs;
}

// Adds the claim to the views' own claims, with which it is one family, unless it is one of them.
void add_claim(const std::string& text, const Scope& scope, SweepViews* views) {
  const results::ParsedClaim parsed = results::parse_claim(text);
  const std::string key = parsed.key.empty() ? "" : wrong_parameter(parsed.key);
  const std::string metric = parsed.metric.empty() ? "" : wrong_metric(parsed.metric);
  if (!key.empty() || !metric.empty())
    throw std::invalid_argument("--claim: " + (key.empty() ? metric : key));
  for (const results::ClaimSpec& own : views->claims)
    if (own.text == text && own.where.empty() && own.over.empty()) return;
  views->claims.push_back({{.sweep = views->sweep, .text = text, .scope = scope}});
}

void check_across(const Names& keys) {
  for (const std::string& key : keys)
    if (const std::string wrong = key.empty() ? "" : wrong_parameter(key); !wrong.empty())
      throw std::invalid_argument("--across: " + wrong);
}

// A claim that was asked for is never left out.
void check_claims(const TableOptions& options) {
  if (options.claims.empty()) return;
  if (!options.cell.empty())
    throw std::invalid_argument("--claim: expected none with --cell, which lists runs");
  if (options.format == "csv" || options.check.ends_with(".csv"))
    throw std::invalid_argument(
        "--claim: expected the format json, md, tex, html or text, got csv, "
        "which holds cells alone");
}

void table(const TableOptions& options) {
  check_claims(options);
  const Names& across = options.spec.across;
  check_across(across);
  SweepRequest request = options.request;
  request.workspace = workspace_of(options.workspace);
  const auto database = open_results(request.workspace);
  Scope scope;
  SweepViews views = find_views(options.sweeps, request, *database, &scope);
  for (const std::string& text : options.claims) add_claim(text, scope, &views);
  for (results::ClaimSpec& claim : views.claims) {
    for (const auto& one : conditions(options.where)) claim.where.push_back(one);
    set_names(across, &claim.across);
    set_names(options.spec.tuned, &claim.tuned);
    set_if_given(options.spec.by, &claim.by);
    if (options.matched >= 0) claim.matched = options.matched;
  }
  views.tables = specs_of(options, views);
  const std::vector<results::Table> made = table_results(*database, views);
  if (!options.check.empty())
    check_file(made, options.check, options.notes);
  else if (!options.cell.empty())
    print_cells(made, options.cell, options.format);
  else
    fmt::print("{}", in_format(made, options.format, options.notes));
}

void add_spec(Verb& verb, results::TableSpec* spec) {
  verb.option("--rows", &spec->rows, "Parameters (default: all that vary)")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--columns", &spec->columns, "Parameters; @KEY: its values in evaluations")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--values", &spec->values, "Metrics or parameters; METRIC@best, METRIC@STEP")
      .type("NAMES")
      .separated_by(',')
      .completes(value_candidates);
  verb.option("--tune", &spec->tuned, "Select the best value of these parameters")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.option("--select", &spec->by, "Validation metric to select by")
      .type("NAME")
      .completes(selecting_candidates);
  verb.option("--sort", &spec->sort, "Order the rows by this value")
      .type("NAME")
      .completes(value_candidates);
  verb.option("--statistic", &spec->statistic, "What cells show, instead of mean and deviation")
      .choices(choices_of(results::kStatistics));
  verb.option("--baseline", &spec->baseline, "Show differences to this row")
      .type("ROW")
      .completes(row_candidates);
  verb.option("--relative", &spec->relative, "Show speed and memory relative to this row")
      .type("ROW")
      .completes(row_candidates);
  verb.option("--across", &spec->across, "Compare rows although they differ in these parameters")
      .type("KEYS")
      .separated_by(',')
      .completes(parameter_candidates);
  verb.flag("--mean", &spec->mean, "Add a last column: the mean over the columns, per seed");
  verb.option("--precision", &spec->decimals, "Decimals").range(0, 17);
}

}  // namespace

void add_table(Verb& program) {
  Verb& verb = program.verb("table", "Print a sweep's results as a table");
  TableOptions& options = verb.runs(table);
  verb.argument("sweeps", &options.sweeps, "Sweeps, or their files (default: all runs)")
      .type("SWEEP")
      .completes(sweep_candidates);
  add_spec(verb, &options.spec);
  verb.option("--matched", &options.matched,
              "Compare rows whose numbers of parameters differ by this share at most; 0: all")
      .type("SHARE")
      .range(0.0, 1.0);
  verb.option("--claim", &options.claims, "A claim to check, as in a [[claim]]").type("CLAIM");
  add_request_options(verb, &options.request);
  verb.option("--where", &options.where,
              "Only runs with this value, or one of [A,B]; may be repeated")
      .type("KEY=VALUE")
      .completes(where_candidates);
  verb.option("--format", &options.format,
              "Output format (json: schema lcsm.table/1, with --cell lcsm.cell/1)")
      .choices({{"text", "for reading"},
                {"md", "Markdown"},
                {"csv", "one line per cell"},
                {"tex", "LaTeX with booktabs"},
                {"json", "with the runs of each cell"},
                {"html"}});
  add_json_flag(verb, &options.format);
  verb.flag("--notes", &options.notes,
            "With tex: print all notes and claims below the table, not as comments");
  verb.option("--number", &options.number,
              "Which table of the sweep's file (default: all, or the first to override; csv and "
              "json hold one)")
      .range(1, 99);
  verb.option("--cell", &options.cell, "List the runs behind a number").type("ROW,COLUMN");
  verb.option("--check", &options.check, "Compare with a file (.md, .csv, .tex, .json, .html)")
      .type("FILE");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kTableFooter);
}

}  // namespace runner
