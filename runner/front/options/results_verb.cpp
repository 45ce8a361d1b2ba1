#include "runner/front/options/results_verb.h"

#include <fmt/format.h>

#include <system_error>

#include "results/events/run_folder.h"
#include "results/store/store.h"
#include "results/text/escape.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/text_table.h"
#include "runner/config/run/run_id.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

bool is_number(const results::Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

Align align_of(const results::Grid& grid, std::size_t column) {
  bool number = false;
  for (const auto& row : grid.rows) {
    if (std::holds_alternative<std::string>(row[column])) return Align::kLeft;
    number = number || is_number(row[column]);
  }
  return number ? Align::kRight : Align::kLeft;
}

std::vector<Candidate> run_candidates(const std::string&) {
  std::vector<Candidate> candidates;
  for (const std::string& id : results::run_ids(workspace_folder("")))
    candidates.push_back({id, ""});
  return candidates;
}

}  // namespace

void add_workspace_option(Verb& verb, std::string* workspace) {
  verb.option("--workspace", workspace, kWorkspaceHelp).type("DIR");
}

void add_format_option(Verb& verb, std::string* format, const std::string& schema) {
  *format = "text";
  verb.option("--format", format, "Output format (json: schema " + schema + ")")
      .choices({{"text", "for reading"}, {"csv"}, {"md", "Markdown"}, {"json"}});
  add_json_flag(verb, format);
}

void add_json_flag(Verb& verb, std::string* format) {
  verb.option("--json", format, "The same as --format json").sets("json");
}

void add_run_argument(Verb& verb, const std::string& name, std::string* run,
                      const std::string& help) {
  verb.argument(name, run, help).type("RUN").required().completes(run_candidates);
}

std::vector<results::Condition> conditions(const std::vector<std::string>& words) {
  std::vector<results::Condition> found;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument("--where expects KEY=VALUE, got '" + word + "'");
    found.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  return found;
}

std::string meant_workspace(const fs::path& folder) {
  const fs::path inside = folder / "workspace";
  std::error_code none;
  const bool meant = !fs::exists(folder / "runs", none) && fs::exists(inside / "runs", none);
  return meant ? "; did you mean '" + inside.string() + "'?" : "";
}

fs::path workspace_of(const std::string& given) {
  const fs::path workspace = workspace_folder(given);
  if (!fs::is_directory(workspace))
    throw Failure(ExitCode::kMissing,
                  fmt::format("expected a workspace at {}, got none: `lcsm run SWEEP` makes it; "
                              "--workspace or LCSM_WORKSPACE names another",
                              workspace.string()));
  if (const std::string meant = meant_workspace(workspace); !meant.empty())
    throw Failure(ExitCode::kMissing,
                  fmt::format("expected a workspace with runs/ at {}, got none{}",
                              workspace.string(), meant));
  return workspace;
}

std::string grid_text(const results::Grid& grid) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < grid.headers.size(); ++i)
    columns.push_back({results::safe_text(grid.headers[i]), align_of(grid, i),
                       align_of(grid, i) == Align::kLeft ? 8 : 0});
  TextTable table(columns);
  for (const auto& row : grid.rows) {
    std::vector<std::string> cells;
    for (const results::Cell& cell : row)
      cells.push_back(results::safe_text(results::cell_text(cell)));
    table.add_row(std::move(cells));
  }
  return table.text(out_terminal());
}

void print_grid(const results::Grid& grid, const std::string& format, const std::string& schema) {
  fmt::print("{}", format == "csv"    ? results::csv_of(grid)
                   : format == "md"   ? results::markdown_of(grid)
                   : format == "json" ? results::json_of(grid, schema)
                                      : grid_text(grid));
}

}  // namespace runner
