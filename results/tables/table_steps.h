// The steps of make_table, each in a file of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/tables/difference.h"
#include "results/tables/table.h"
#include "results/tables/table_runs.h"

namespace results {

// The runs of one row and column, before a value is chosen.
struct RunGroup {
  std::vector<const TableRun*> runs;  // with the chosen values of tuned parameters, by seed
  std::string chosen;                 // "optim.lr=0.001"
  bool edge = false;                  // the chosen value is the smallest or largest of several
  bool pending = false;               // other values have runs that are missing or have not ended
};

// Puts a run of several sweeps into the row of each, if `sweep` is a row or a column.
void split_by_sweep(const TableSpec& spec, TableRuns* runs);

// KEY if "@KEY" is a row or a column, else "". Throws std::invalid_argument if there are several.
std::string evaluated_key(const TableSpec& spec);

// If "@KEY" is a row or a column, turns each evaluation that differs in that key alone into a run
// with the evaluation's metrics; the run itself stays at its own value. Throws
// std::invalid_argument if the metric that selects is shown and was not evaluated.
void split_by_evaluation(const Database& database, const TableSpec& spec, TableRuns* runs);

// Chooses the values of `spec.tuned` among the runs of a cell: those with the most seeds that are
// done, then the best mean of `spec.by` over them.
RunGroup choose_group(const std::vector<const TableRun*>& runs, const TableRuns& all,
                      const TableSpec& spec);

// Computes one cell of one value, with its marks.
TableCell make_cell(const RunGroup& group, const std::string& value, const TableRuns& all,
                    const TableSpec& spec);

// The values of two cells for their common seeds; none if a cell has a seed twice.
SeedPairs common_seeds(const TableCell& a, const TableCell& b);

// The parameters in which cells must agree to be compared: all that vary, except rows, columns,
// tuned and averaged parameters and TableSpec::across. The names of a model count as one parameter.
// Within one sweep a model may bring its own parameters; only parameters of the question must agree
// (Roles::asks). Parameters that some runs of a task lack do not count among its runs.
KeysOfTask keys_to_agree_in(const TableRuns& runs, const TableSpec& spec);

// The parameters of TableCell::setting in which two cells differ; of unlike tasks, those that
// both have.
std::vector<std::string> disagreements(const TableCell& a, const TableCell& b);

// In TableCell::setting: the columns of which a cell is the mean.
inline constexpr std::string_view kMeanOf = "mean";

// If TableSpec::mean is set, appends one column per value: the mean over all others.
void add_mean_columns(Table* table, const TableSpec& spec);

// Makes the size of a model part of the setting in which compared cells must agree, by
// TableSpec::matched.
void match_params(Table* table, const TableSpec& spec);
// "only rows whose numbers of parameters differ by at most 5 % are compared"
std::string matching_rule(const Table& table);

// The rows of a column that may be compared with each other, by task and setting.
using Rows = std::vector<std::size_t>;
using Comparable = std::map<std::pair<std::string, std::map<std::string, std::string>>, Rows>;
Comparable comparable_rows(const Table& table, std::size_t column);

// The share by which the largest model of these rows exceeds the smallest in parameters.
double excess_of_params(const Table& table, std::size_t column, const Rows& rows);

// Adds "rows are compared although ..." for the first compared cells of a column of which `note_of`
// says why, by a text that is not empty.
using NoteOfCells = std::function<std::string(const std::vector<const TableCell*>&)>;
void note_compared(Table* table, const NoteOfCells& note_of);

// Adds such a note if several programs trained the compared rows.
void note_programs(Table* table);

// Marks the best of each column and those not significantly worse; fills in differences.
void judge(Table* table, const TableSpec& spec);

// Computes TableSpec::statistic in each cell of a metric, and marks the best row of each column.
void estimate_cells(Table* table, const TableSpec& spec);

// For each row, its baseline: the row with this name and equal other labels, or the only row with
// this name; npos if there is none. Throws std::invalid_argument if no row has the name. `what`:
// "baseline".
Rows baselines_of(const Table& table, const std::string& shown, const char* what);

// The number that a cell shows: the estimate, or the mean.
double shown_value(const TableCell& cell);

// The part of judge() that compares with TableSpec::baseline and TableSpec::relative.
void compare_with_rows(Table* table, const TableSpec& spec);

// True if a value depends on the machine as much as on the run: speed, memory.
bool is_of_a_machine(const std::string& value);

// True if two rows ran on unlike machines, so that such a value does not compare their models.
bool are_of_unlike_machines(const Table& table, std::size_t column, std::size_t a, std::size_t b);

// Adds notes that name the machines behind such values.
void note_machines(Table* table);

// Adds the numbers of a paper's table, and rows for models that it prints and these runs lack.
void add_published(Table* table, const std::string& paper, const Roles& roles,
                   const TableSpec& spec);

// Appends a note that explains no sign.
void add_note(Table* table, const std::string& text,
              TableNote::About about = TableNote::About::kTable);

// Appends footnotes for the marks that occur.
void add_notes(Table* table);

bool has_mark(const TableCell& cell, Mark mark);

// The signs of a cell's marks: "m,e".
std::string signs_of(const TableCell& cell);

// "length=64 valid.ppl"
std::string header_of(const Table& table, const TableColumn& column);

}  // namespace results
