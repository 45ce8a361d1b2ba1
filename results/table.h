// A table of means over seeds that can be trusted: what it shows can be traced to its runs, and
// what it hides is marked.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/database.h"
#include "results/statistics.h"

namespace results {

// ----- What is asked -----

struct TableSpec {
  std::string sweep = {};                 // empty: every run
  std::vector<std::string> rows = {};     // parameters; empty: chosen from what varies
  std::vector<std::string> columns = {};  // parameters
  std::vector<std::string> values = {};   // metrics or parameters, "valid.ppl@best"; empty: chosen
  std::vector<std::string> tuned = {};    // parameters whose best value is chosen ...
  std::string by = {};  // ... on the mean over seeds of this metric, no test metric
  std::vector<std::pair<std::string, std::string>> where = {};  // parameter, value
  std::string sort = {};      // a value; empty: by the rows' names
  std::string baseline = {};  // a row: differences to it are shown
  int decimals = -1;          // -1: by size
};

// Which value of a run's curve: the last, or the best.
enum class Reduce { kLast, kBest };

// "valid.ppl@best" in two. Throws std::invalid_argument.
std::pair<std::string, Reduce> parse_value(const std::string& text);

// Whether less is better: perplexity, loss, bits, errors.
bool lower_is_better(const std::string& metric);

// ----- What comes out -----

enum class Mark {
  kMissing,  // seeds that other cells have
  kFailed,
  kOutOfMemory,
  kDiverged,
  kRunning,  // or killed: no end
  kInterrupted,
  kEdge,      // the chosen value is the smallest or largest that was tried
  kVersions,  // of the program, within the cell
  kBudgets,   // steps asked for, within the cell
  kShort,     // fewer steps than asked for
  kMixed,     // another parameter differs within the cell
  kPartly,    // a run lacks this metric
};
struct MarkRow {
  Mark mark;
  std::string_view sign, meaning;
};
inline constexpr std::array kMarks = {
    MarkRow{Mark::kMissing, "m", "fewer seeds than elsewhere in the table, or none"},
    MarkRow{Mark::kFailed, "f", "a run failed"},
    MarkRow{Mark::kOutOfMemory, "o", "a run was out of memory"},
    MarkRow{Mark::kDiverged, "d", "a run diverged"},
    MarkRow{Mark::kRunning, "r", "a run has not ended"},
    MarkRow{Mark::kInterrupted, "i", "a run was interrupted"},
    MarkRow{Mark::kEdge, "e", "the best tried value is at the edge of what was tried"},
    MarkRow{Mark::kVersions, "v", "runs of different program versions"},
    MarkRow{Mark::kBudgets, "b", "runs of different budgets"},
    MarkRow{Mark::kShort, "s", "a run made fewer steps than asked for"},
    MarkRow{Mark::kMixed, "x", "runs that differ in another parameter"},
    MarkRow{Mark::kPartly, "p", "a run has no such value"},
};

// One run behind a number.
struct Sample {
  std::string id, seed, status, commit;
  std::optional<double> value;
};

struct TableCell {
  std::vector<Sample> samples;  // by seed; those without a value too
  Spread spread;
  std::vector<Mark> marks;  // in the order of kMarks
  std::string chosen;       // "optim.lr=0.001", empty where nothing was tuned
  bool best = false;
  bool not_worse = false;            // not significantly worse than the best
  std::optional<double> difference;  // to the baseline's mean
  std::optional<double> published;   // what the paper prints
};

struct TableColumn {
  std::vector<std::string> labels;  // of the column parameters
  std::string value;                // "valid.ppl"
  bool lower_better = false, is_metric = true;
  int decimals = 2;
  bool has_published = false;
};

struct Table {
  std::string title;
  std::vector<std::string> row_keys, column_keys;
  std::vector<std::vector<std::string>> rows;  // labels
  std::vector<TableColumn> columns;
  std::vector<std::vector<TableCell>> cells;  // row, column
  std::vector<std::string> notes;             // footnotes, those that are used
};

// Throws std::invalid_argument for what cannot be asked.
Table make_table(Database& database, const TableSpec& spec);

}  // namespace results
