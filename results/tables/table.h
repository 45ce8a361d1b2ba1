// A table of means over seeds. Every number can be traced to its runs, and a mark shows what a mean
// hides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/events/event.h"
#include "results/events/run_state.h"
#include "results/store/database.h"
#include "results/tables/bootstrap.h"
#include "results/tables/roles.h"
#include "results/tables/statistics.h"
#include "results/text/number_text.h"

namespace results {

// ----- The request -----

// A run of a sweep, existing or not.
struct NamedRun {
  std::string id;
  Values parameters;       // the resolved configuration
  std::string model = {};  // the sweep's name for its model; "" = the parameter's
};

// Runs, by id, whose model is not shown under the name in the first of Roles::models: a recipe's
// additions to a model differ from task to task.
using ModelNames = std::map<std::string, std::string>;

// The values of parameters, in the order of a sweep's file.
using LabelOrder = std::map<std::string, std::vector<std::string>>;

// Labels that replace a value, a parameter or a metric: {"1-9-1-0", "GLA"}.
using DisplayNames = std::map<std::string, std::string>;
inline const std::string& shown_name(const DisplayNames& names, const std::string& name) {
  const auto found =
      std::ranges::find_if(names, [&](auto& one) { return same_value(one.first, name); });
  return found == names.end() ? name : found->second;
}
inline const std::string& original_name(const DisplayNames& names, const std::string& shown) {
  const auto found = std::ranges::find(names, shown, &DisplayNames::value_type::second);
  return found == names.end() ? shown : found->first;
}

// As the key of a condition, it selects runs by their tags.
inline constexpr std::string_view kTagKey = "tag";

// Selects the runs whose parameter has this value, or one of a list: "[64, 128]".
struct Condition {
  std::string key, value;
  bool of_file = false;  // its list may have values from the file's other scales
};

// Precedes a parameter in rows or columns: its values in evaluations, "@task.length".
inline constexpr char kEvaluatedSign = '@';
// The same for an option of a system, which is no parameter: "@system.chunk".
inline constexpr std::string_view kEvaluatedOption = "@system.";

// As a row or column key, it stands for the sweeps of TableSpec::sweeps.
inline constexpr std::string_view kSweepKey = "sweep";

// The metric that counts the parameters of a model.
inline constexpr std::string_view kParams = "params";

// The metric that adds up over a run's attempts.
inline constexpr std::string_view kSeconds = "time.seconds";

// The statistics that a cell of a metric can show.
enum class Statistic { kMean, kBootstrap, kIqm, kImprovement };
struct StatisticRow {
  Statistic statistic;
  std::string_view name, help;
  std::string_view best;  // of the column; "": none is marked
};
inline constexpr std::array kStatistics = {
    StatisticRow{Statistic::kMean, "mean", "mean and standard deviation; differences are tested",
                 "best mean"},
    StatisticRow{Statistic::kBootstrap, "bootstrap",
                 "mean, and its 95 % interval by stratified bootstrap over seeds", "best mean"},
    StatisticRow{Statistic::kIqm, "iqm",
                 "interquartile mean, and its 95 % interval by stratified bootstrap over seeds",
                 "best interquartile mean"},
    StatisticRow{Statistic::kImprovement, "improvement",
                 "probability of being better than the baseline, and its 95 % interval by "
                 "stratified bootstrap over seeds",
                 ""},
};
// Throws std::invalid_argument for an unknown name; "" is the mean.
const StatisticRow& statistic_named(std::string_view name);

// The runs that a table, figure or claim is over, and what the sweep's file says about them.
struct ViewScope {
  std::vector<NamedRun> planned = {};      // those that do not exist are marked as missing
  std::set<std::string> only = {};         // ids, from any sweep; empty: the sweep's runs
  std::vector<std::string> expected = {};  // metrics that complete runs report
  LabelOrder order = {};
  ModelNames models = {};
  DisplayNames names = {};
  // Ids of the runs with the paper's setting, which may be compared with its numbers; nullopt: all.
  std::optional<std::set<std::string>> as_paper = {};
};

struct TableSpec {
  std::string sweep = {};        // empty: all runs
  std::string title = {};        // empty: sweep_title
  std::string sweep_title = {};  // empty, like paper: taken from the sweep's last run
  std::string paper = {};
  std::vector<std::string> rows = {};     // parameters; empty: those that vary
  std::vector<std::string> columns = {};  // parameters
  std::vector<std::string> values = {};   // metrics or parameters, parse_value; empty: default
  std::vector<std::string> tuned = {};    // parameters whose best value is chosen ...
  std::string by = {};  // ... by the mean over seeds of this metric, never a test metric
  std::vector<Condition> where = {};
  std::string sort = {};       // a value; empty: in the order of the scope, then by names
  std::string statistic = {};  // a name of kStatistics
  std::string baseline = {};   // a row; differences to it are shown
  std::string relative = {};   // a row; quotients by its values are shown
  bool mean = false;           // a last column: the mean over the others
  int decimals = -1;           // -1: by magnitude
  bool of_file = false;  // values were checked with the file; some may be from its other scales
  std::vector<std::string> across = {};  // parameters in which compared cells may differ
  double matched = 0;  // the share by which their numbers of parameters may differ; 0: any
  std::vector<std::pair<std::string, std::set<std::string>>> sweeps = {};  // name, ids
  ViewScope scope = {};

  // Only for tables that are drawn (results/figures):
  bool more_rows = false;  // besides `rows`: the other parameters that vary
  bool tune_rate = true;   // if nothing is tuned, the learning rate where it varies
  bool judged = true;      // marks the best of each column
  bool numbers = false;    // refuses a value that is not a number
};

// A table over the runs of a figure or a claim, with the choice of values that it asks for.
template <class Spec>
TableSpec table_over(const Spec& spec) {
  return {.sweep = spec.sweep,
          .tuned = spec.tuned,
          .by = spec.by,
          .where = spec.where,
          .scope = spec.scope,
          .numbers = true};
}

// How a run's curve is reduced to one value.
struct Reduction {
  enum class How { kLast, kBest, kStep, kWhere, kEvaluated };
  std::string metric;
  How how = How::kLast;
  std::int64_t step = 0;   // kStep: at this step
  std::string other = {};  // kWhere: at the step at which this metric is best; kEvaluated: settings
};

// "valid.ppl", "valid.ppl@last", "valid.ppl@best", "valid.ppl@2000", "test.ppl@valid.ppl",
// "test.ppl@task.length=512", of an evaluation. Throws
// std::invalid_argument, also where a test metric would choose the step.
Reduction parse_value(const std::string& text);

// ----- The result -----

enum class Mark {
  kMissing,  // planned runs, or seeds that other cells have
  kFailed,
  kOutOfMemory,
  kDiverged,
  kRunning,  // or killed: the attempt has no end
  kInterrupted,
  kEdge,      // the chosen value is the smallest or largest one tried
  kPending,   // another value may still turn out better
  kVersions,  // several program versions within the cell
  kBudgets,   // several budgets within the cell
  kShort,     // fewer steps than configured
  kMixed,     // another parameter differs within the cell
  kPartly,    // a run lacks this value
  kMachines,  // speed or memory of unlike machines, not averaged
  kAlone,     // compared with no other row
  kUntested,  // compared with the best, but no test can be made
};
struct MarkRow {
  Mark mark;
  std::string_view sign, meaning;
};
inline constexpr std::array kMarks = {
    MarkRow{Mark::kMissing, "m", "fewer runs than planned, or than seeds elsewhere in the table"},
    MarkRow{Mark::kFailed, "f", "a run failed"},
    MarkRow{Mark::kOutOfMemory, "o", "a run ran out of memory"},
    MarkRow{Mark::kDiverged, "d", "a run diverged"},
    MarkRow{Mark::kRunning, "r", "a run has not ended"},
    MarkRow{Mark::kInterrupted, "i", "a run was interrupted"},
    MarkRow{Mark::kEdge, "e", "the best value is at the edge of those tried"},
    MarkRow{Mark::kPending, "t",
            "runs of another candidate value are missing, failed or have not ended"},
    MarkRow{Mark::kVersions, "v", "runs of different program versions"},
    MarkRow{Mark::kBudgets, "b", "runs of different budgets"},
    MarkRow{Mark::kShort, "s", "a run stopped early: fewer steps than configured"},
    MarkRow{Mark::kMixed, "x", "runs that differ in another parameter"},
    MarkRow{Mark::kPartly, "p", "a run has no such value"},
    MarkRow{Mark::kMachines, "u", "runs on unlike machines, whose mean would say nothing"},
    MarkRow{Mark::kAlone, "c", "compared with no other row"},
    MarkRow{Mark::kUntested, "n",
            "no verdict: fewer than three seeds in common with the best, or differences from it "
            "that are equal as far as the metric resolves"},
};
constexpr const MarkRow& row_of(Mark mark) { return kMarks[static_cast<std::size_t>(mark)]; }
static_assert(std::ranges::all_of(kMarks, [](const MarkRow& row) {
  return row_of(row.mark).sign == row.sign;
}));

// One run of a cell.
struct Sample {
  std::string id, seed;
  RunState state = RunState::kNew;
  std::string commit;
  std::optional<double> value;
};

struct TableCell {
  std::vector<Sample> samples;  // by seed, including those without a value
  Statistics statistics;
  std::vector<Mark> marks;              // in the order of kMarks
  std::vector<std::string> mixed = {};  // kMixed: the parameters
  std::string chosen;                   // "optim.lr=0.001"; empty if nothing was tuned
  std::string text = {};                // values of a parameter that is not a number
  bool best = false;
  bool not_worse = false;                      // not significantly worse than the best
  std::optional<double> difference;            // from the baseline's value
  std::optional<double> ratio;                 // to the value of TableSpec::relative
  std::optional<double> published;             // the paper's number
  bool as_paper = false;                       // ViewScope::as_paper has all its runs
  std::optional<double> published_ratio = {};  // the paper's quotient by TableSpec::relative
  std::string task = {};  // of its runs: cells of unlike tasks are not compared
  double params = std::numeric_limits<double>::quiet_NaN();  // kParams of its runs, their mean
  std::string machine = {};             // host, processor and threads of its runs; "" if unlike
  std::set<std::string> programs = {};  // that trained its runs
  std::map<std::string, std::string> setting = {};  // cells that differ in it are not compared
  Scale scale = {};
  Strata strata = {};                     // its values; in a mean over columns, one list per column
  std::optional<Estimate> estimate = {};  // of TableSpec::statistic, unless it is the mean
};

struct TableColumn {
  std::vector<std::string> labels;  // values of the column parameters
  std::string value;                // "valid.ppl"
  bool lower_better = false, is_metric = true;
  int decimals = 2;
  bool has_published = false;
  bool as_paper = false;  // some cell may be compared with the paper's number
  bool fixed = false;     // the spec sets the decimals
  bool mean = false;      // over the other columns of this value; its labels are "mean"
};

// A test of two cells of a column (difference.h).
struct PairTest {
  std::size_t column = 0, a = 0, b = 0;  // rows, a < b
  double p = 0;                          // corrected over all tests of the table
};

// A claim and its verdict (claim.h).
enum class Verdict { kSupported, kContradicted, kUndecided };
inline constexpr std::array<std::string_view, 3> kVerdicts = {"supported", "contradicted",
                                                              "undecided"};
struct Claim {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::string text, paper, metric = {};
  Verdict verdict = Verdict::kUndecided;
  std::string against = {};  // the row compared with: the other one, or the strongest rival
  double effect = kNone;     // left minus against, mean over all pairs; NaN without any
  double low = kNone,
         high = kNone;                     // contains 0 unless p < 0.05; NaN if nothing was tested
  double p = kNone;                        // corrected; NaN if nothing was tested
  std::int64_t n = 0;                      // pairs: common seeds, of each setting of `over`
  std::optional<std::int64_t> seeds = {};  // how many would decide an undecided claim; 0: none
  std::string test = {};                   // the test that was made ...
  std::string why = {};                    // ... or why none could be
  std::string signs = {};                  // of the marks (kMarks) of the compared cells
};

// A line below a table: the meaning of signs in its cells, or a remark without a sign.
struct TableNote {
  enum class About { kTable, kSpread, kBest, kPaper, kMark };
  struct Part {
    std::string sign, text;  // "*", "best mean of its column;"
  };
  About about = About::kTable;
  std::vector<Part> parts;
};

struct Table {
  std::string title, paper;
  std::vector<std::string> row_keys, column_keys;
  std::vector<std::vector<std::string>> rows;  // labels
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> cells;  // row, column
  std::vector<TableNote> notes;               // footnotes
  Statistic statistic = Statistic::kMean;
  std::vector<PairTest> tests = {};     // by column, a and b; without impossible tests
  std::int64_t n = 0;                   // values of the cell with the most
  double matched = 0;                   // as in TableSpec
  std::vector<std::string> tuned = {};  // parameters whose choice differs from cell to cell
  std::string choice = {};              // "optim.lr chosen by ..."; "" if each cell has one value
  DisplayNames names = {};              // for text and pages; data has the original names
  std::vector<Claim> claims = {};       // filled in by the caller
};

// Throws std::invalid_argument for a spec that these runs cannot satisfy.
Table make_table(Database& database, const Roles& roles, const TableSpec& spec);

}  // namespace results
