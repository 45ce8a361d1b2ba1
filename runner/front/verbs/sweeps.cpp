// `lcsm sweeps`: lists sweeps and their progress, or the tables and figures of a paper.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/published/published.h"
#include "results/text/escape.h"
#include "runner/base/files/json_file.h"
#include "runner/base/process/stderr_text.h"
#include "runner/base/text/text_table.h"
#include "runner/data/tasks/data_search.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/sweeps/language/points.h"
#include "runner/sweeps/language/search.h"
#include "runner/sweeps/plan/run_states.h"
#include "runner/workspace/folder.h"

namespace runner {
namespace {

using Json = nlohmann::ordered_json;

struct SweepsOptions {
  std::string workspace, paper;
  bool json = false;
};

constexpr const char* kSweepsFooter = R"text(Examples:
  lcsm sweeps                     every sweep: its paper, its points, how many are done
  lcsm sweeps --paper mega        every table and figure of a paper, and the sweep that answers it
  lcsm plan table4-o-types        what it would run, and at what cost
  lcsm explain figure3 optim.lr   which line sets it

Each file sweeps/NAME.toml in the current folder is a sweep. Format: sweeps/README.md.)text";

struct Row {
  std::string name, scale, paper, title, path, trouble;
  std::string missing_data = {};  // data without which its points are unknown
  std::size_t points = 0, done = 0;
};

void count(const SweepFile& sweep, const RunStates& states, const std::filesystem::path& workspace,
           Row& row) {
  try {
    expand(sweep, {row.scale, {}, workspace}, [&](const Point& point, const RunConfig&) {
      ++row.points;
      row.done += state_of(states, point.id) == results::RunState::kDone;
    });
  } catch (const std::invalid_argument& error) {
    row.trouble = error.what();
  } catch (const DataMissing& error) {
    row.missing_data = error.what();
  }
}

std::vector<Row> rows_of(const SweepText& known, const RunStates& states,
                         const std::filesystem::path& workspace) {
  try {
    const SweepFile sweep = read_sweep(known, find_sweep, [](const std::string&) {});
    std::vector<Row> rows;
    for (const std::string& scale : sweep.scale_names()) {
      rows.push_back({sweep.name, scale, sweep.paper, sweep.title, sweep.path, ""});
      count(sweep, states, workspace, rows.back());
    }
    return rows;
  } catch (const std::invalid_argument& error) {
    return {{known.name, "", "", "", known.path, error.what()}};
  }
}

std::string json_text(const std::vector<Row>& rows) {
  Json sweeps = Json::array();
  for (const Row& row : rows)
    sweeps.push_back({{"name", row.name},
                      {"scale", row.scale},
                      {"title", row.title},
                      {"paper", row.paper},
                      {"file", row.path},
                      {"points", row.points},
                      {"done", row.done},
                      {"missing_data", row.missing_data},
                      {"error", row.trouble}});
  const Json json = {{"schema", "lcsm.sweeps/1"}, {"sweeps", sweeps}};
  return printed_json(json);
}

void print_table(const std::vector<Row>& rows) {
  TextTable table({{"sweep"},
                   {"scale"},
                   {"points", Align::kRight},
                   {"done", Align::kRight},
                   {"title", Align::kLeft, 16},
                   {"paper", Align::kLeft, 8}});
  const auto count = [](const Row& row, std::size_t number) {
    return row.missing_data.empty() ? std::to_string(number) : "?";
  };
  for (const Row& row : rows)
    if (row.trouble.empty())
      table.add_row({row.name, row.scale, count(row, row.points), count(row, row.done),
                     results::safe_text(row.title), row.paper});
  fmt::print("{}", table.text(out_terminal()));
  if (std::any_of(rows.begin(), rows.end(), [](const Row& r) { return !r.missing_data.empty(); }))
    print_safe("?: needs data; `lcsm plan SWEEP --scale SCALE` says which\n");
  for (const Row& row : rows)
    if (!row.trouble.empty()) print_safe(fmt::format("ignored: {}: {}\n", row.name, row.trouble));
}

std::vector<results::PaperItem> items_of(const std::string& paper) {
  std::vector<results::PaperItem> items;
  for (const results::PaperItem& item : results::paper_items())
    if (item.paper == paper) items.push_back(item);
  return items;
}

void show_contents(const SweepsOptions& options) {
  const std::vector<results::PaperItem> items = items_of(options.paper);
  if (options.json) {
    Json json = {{"schema", "lcsm.contents/1"}, {"items", Json::array()}};
    for (const results::PaperItem& item : items)
      json["items"].push_back({{"paper", item.paper},
                               {"item", item.item},
                               {"shows", item.shows},
                               {"sweep", item.sweep},
                               {"why", item.why}});
    fmt::print("{}", printed_json(json));
    return;
  }
  TextTable table(
      {{"item"}, {"what it shows", Align::kLeft, 16}, {"sweep, or why none", Align::kLeft, 24}});
  for (const results::PaperItem& item : items)
    table.add_row({item.item, item.shows, item.sweep.empty() ? "(" + item.why + ")" : item.sweep});
  fmt::print("{}", table.text(out_terminal()));
}

std::vector<Candidate> paper_candidates() {
  std::vector<Candidate> papers;
  for (const results::PaperItem& item : results::paper_items())
    if (papers.empty() || papers.back().word != item.paper) papers.push_back({item.paper});
  return papers;
}

void show_sweeps(const SweepsOptions& options) {
  if (!options.paper.empty()) return show_contents(options);
  const auto workspace = workspace_folder(options.workspace);
  RunStates states;
  if (std::filesystem::is_directory(workspace))
    states = run_states(*open_results(workspace), workspace);
  std::vector<Row> rows;
  for (const SweepText& known : known_sweeps())
    for (Row& row : rows_of(known, states, workspace)) rows.push_back(std::move(row));
  if (options.json)
    fmt::print("{}", json_text(rows));
  else
    print_table(rows);
}

}  // namespace

void add_sweeps(Verb& program) {
  Verb& verb = program.verb("sweeps", "List sweeps and their progress");
  SweepsOptions& options = verb.runs(show_sweeps);
  verb.option("--paper", &options.paper, "List every table and figure of this paper instead")
      .choices(paper_candidates());
  verb.flag("--json", &options.json, "Print JSON (schema lcsm.sweeps/1, or lcsm.contents/1)");
  add_workspace_option(verb, &options.workspace);
  verb.footer(kSweepsFooter);
}

}  // namespace runner
