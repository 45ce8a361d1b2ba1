// `lcsm export`: writes runs for other programs, one row each, or their curves.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "lcsm/files/whole_file.h"
#include "results/curves/tensorboard.h"
#include "results/events/run_folder.h"
#include "results/store/run_facts.h"
#include "runner/base/process/exit_code.h"
#include "runner/base/text/counts.h"
#include "runner/front/options/result_candidates.h"
#include "runner/front/options/results_verb.h"
#include "runner/front/options/sweep_verb.h"
#include "runner/front/verbs/verbs.h"
#include "runner/front/views/scope.h"

namespace runner {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  RunChoice choice;
  std::string sweep;
  std::optional<std::string> reduce;
  std::string format = "csv", out, workspace;
  bool curves = false;

  bool tensorboard() const { return format == "tensorboard"; }
};

void check(const ExportOptions& options) {
  if (!options.choice.words.empty() && !options.sweep.empty())
    throw std::invalid_argument("expected RUN|SWEEP or --sweep, got both");
  if (options.reduce && (options.curves || options.tensorboard()))
    throw std::invalid_argument(
        "--metrics chooses one value of a curve, but curves are exported whole: omit it");
  if (!options.tensorboard()) return;
  if (options.out.empty())
    throw std::invalid_argument(
        "TensorBoard reads a folder: expected one with --out DIR, got none");
  if (fs::exists(options.out) && !fs::is_directory(options.out))
    throw std::invalid_argument("expected a folder as --out, got the file " + options.out);
}

results::ExportOptions chosen(const ExportOptions& options, const fs::path& workspace,
                              results::Database& database) {
  results::ExportOptions what{.sweep = options.sweep, .reduce = options.reduce.value_or("last")};
  const RunChoice& choice = options.choice;
  if (!what.sweep.empty()) {
    Scope scope;
    const SweepRequest request{choice.scale, choice.settings, workspace};
    what.sweep = find_views(what.sweep, request, database, &scope).sweep;
    what.only = std::move(scope.only);
    if (!what.only.empty()) what.sweep.clear();
  } else if (!options.choice.words.empty()) {
    const RunStates states = run_states(database, workspace);
    for (const ChosenRuns& each : chosen_runs(choice, database, states, workspace))
      for (const ChosenRun& run : each.runs) what.only.insert(run.id);
  }
  return what;
}

// A file appears whole at the end, or not at all.
class Output {
 public:
  explicit Output(const std::string& path) {
    if (!path.empty()) file_.emplace(path);
  }
  void put(const std::string& text) {
    if (file_)
      file_->write(text.data(), text.size());
    else
      fmt::print("{}", text);
  }
  void keep() {
    if (file_) file_->keep();
  }

 private:
  std::optional<lcsm::WholeFile> file_;
};

using Keys = std::vector<std::string>;
using Ids = std::vector<std::string>;

void put_curves(const ExportOptions& options, const fs::path& workspace, const Ids& ids,
                const Keys& varying, Output* out) {
  const bool csv = options.format == "csv";
  if (csv) out->put(results::csv_of({results::curve_rows({}, varying).headers, {}}));
  for (const std::string& id : ids) {
    const auto run = results::read_curves(results::run_folder(workspace, id));
    const results::Grid rows = results::curve_rows(run, varying);
    out->put(csv ? csv_rows(rows) : json_lines_of(rows));
  }
}

// A folder for each run.
void write_tensorboard(const std::string& out, const fs::path& workspace, const Ids& ids,
                       const Keys& varying) {
  for (const std::string& id : ids) {
    const auto run = results::read_curves(results::run_folder(workspace, id));
    const fs::path folder = fs::path(out) / results::folder_name(run, varying);
    fs::create_directories(folder);
    lcsm::write_whole(folder / results::tensorboard_file(run), results::tensorboard_events(run));
  }
  fmt::print(stderr, "{} written: tensorboard --logdir {}\n", counted(ids.size(), "run"), out);
}

void export_chosen(const ExportOptions& options) {
  check(options);
  const fs::path workspace = workspace_of(options.workspace);
  const auto database = open_results(workspace);
  const results::ExportOptions what = chosen(options, workspace, *database);
  const Ids ids = results::exported_runs(*database, what);
  const Keys varying = results::varying_parameters(*database, ids);
  if (options.tensorboard()) return write_tensorboard(options.out, workspace, ids, varying);
  Output out(options.out);
  if (options.curves) {
    put_curves(options, workspace, ids, varying, &out);
  } else {
    const results::Grid grid = results::export_runs(*database, what);
    out.put(options.format == "csv" ? csv_of(grid) : json_lines_of(grid));
  }
  out.keep();
}

void export_all(const ExportOptions& options) {
  try {
    export_chosen(options);
  } catch (const fs::filesystem_error& error) {
    throw Failure(ExitCode::kOutput, error.what());
  }
}

}  // namespace

void add_export(Verb& program) {
  Verb& verb = program.verb("export", "Export runs or their curves for other programs");
  ExportOptions& options = verb.runs(export_all);
  add_run_choice(verb, &options.choice).required(false);
  verb.option("--sweep", &options.sweep,
              "Only the points of this sweep or file, at the scale with the most runs")
      .type("SWEEP")
      .completes(sweep_candidates);
  verb.flag("--curves", &options.curves,
            "One row per value of a metric (default: one row per run)");
  verb.option("--metrics", &options.reduce, "Which value of each metric (default: last)")
      .choices({{"last"}, {"lowest"}, {"highest"}});
  verb.option("--format", &options.format, "Output format")
      .choices({{"csv"},
                {"jsonl", "one JSON object per line"},
                {"tensorboard", "curves and parameters, one folder per run"}});
  verb.option("--out,--output", &options.out, "Write to this file; of tensorboard, this folder")
      .type("PATH");
  add_workspace_option(verb, &options.workspace);
  verb.footer(R"text(Examples:
  lcsm export > runs.csv
  lcsm export --sweep quickstart --format jsonl
  lcsm export 'tag=paper' --curves --out curves.csv
  lcsm export quickstart --format tensorboard --out boards)text");
}

}  // namespace runner
