#include "results/tables/claim.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "lcsm/base/nearest.h"
#include "lcsm/base/words.h"
#include "results/tables/claim_pairs.h"
#include "results/tables/difference.h"
#include "results/tables/table_runs.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

// `merged`: some settings are averaged.
std::string test_name(const Table& table, bool merged) {
  const std::vector<std::string>& over = table.column_keys;
  return "paired t-test over common seeds" +
         (over.empty() ? "" : " of each " + lcsm::joined(over)) +
         (merged ? ", averaged over runs that were trained alike" : "") +
         (table.choice.empty() ? "" : ", " + table.choice);
}

// The parameter with this value in some run: `key`, or any if that is empty. "" if there is none.
std::string key_with(const TableRuns& runs, const std::string& key, const std::string& value) {
  for (const TableRun& run : runs.runs)
    for (const auto& [name, own] : run.parameters)
      if ((key.empty() || key == name) && same_value(own, value)) return name;
  return "";
}

[[noreturn]] void refuse_alone(const std::string& key, const std::string& value) {
  throw std::invalid_argument("expected another value of " + key + " to compare with, got only '" +
                              value + "'");
}

// The varying parameter that has all of `values` among these runs; of several names of the model,
// the first.
std::string key_of(const TableRuns& runs, const std::vector<std::string>& values) {
  std::vector<std::string> found;
  std::set<std::string> all, unknown(values.begin(), values.end());
  for (const std::string& key : runs.varying) {
    std::set<std::string> have;
    for (const TableRun& run : runs.runs)
      if (const auto at = run.parameters.find(key); at != run.parameters.end())
        have.insert(at->second);
    const auto known = [&](const std::string& value) {
      return std::any_of(have.begin(), have.end(),
                         [&](const std::string& one) { return same_value(one, value); });
    };
    if (std::all_of(values.begin(), values.end(), known)) found.push_back(key);
    std::erase_if(unknown, known);
    all.merge(have);
  }
  const std::string model(runs.roles.models.front());
  if (lcsm::has_word(found, model))
    std::erase_if(found, [&](const std::string& key) {
      return key != model && has_role(runs.roles.models, key);
    });
  if (found.size() == 1) return found[0];
  if (const std::string one = unknown.empty() ? "" : key_with(runs, "", *unknown.begin());
      !one.empty())
    refuse_alone(one, *unknown.begin());
  if (!unknown.empty())
    throw std::invalid_argument(
        "expected values that vary among these runs, got '" + *unknown.begin() + "'" +
        lcsm::did_you_mean(*unknown.begin(), std::vector<std::string>(all.begin(), all.end())));
  const std::string names = lcsm::joined(found);
  throw std::invalid_argument("expected values of one parameter that varies, got '" +
                              lcsm::joined(values, "' and '") + "' of " +
                              (names.empty() ? "none" : names) + ": add 'of KEY'");
}

// Throws if a condition leaves no run of one side.
void check_where(Database& database, const Roles& roles, const TableSpec& request,
                 const std::string& key, const std::vector<std::string>& sides) {
  const auto missing = [&](std::size_t conditions) {
    TableSpec spec = request;
    spec.where.resize(conditions);
    const TableRuns runs = load_runs(database, roles, &spec);
    const auto lacks = [&](auto& side) { return key_with(runs, key, side).empty(); };
    const auto found = std::ranges::find_if(sides, lacks);
    return found == sides.end() ? std::string() : *found;
  };
  const std::size_t count = request.where.size();
  if (count == 0 || missing(count).empty() || !missing(0).empty()) return;
  for (std::size_t i = 0; i < count; ++i)
    if (const std::string side = missing(i + 1); !side.empty())
      throw std::invalid_argument(request.where[i].key + " = " + request.where[i].value +
                                  " leaves no run of " + side);
}

std::size_t row_of(const Table& table, const std::string& label) {
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (same_value(table.rows[row][0], label)) return row;
  throw std::invalid_argument("expected one of " +
                              lcsm::joined_of(table.rows, [](const auto& row) { return row[0]; }) +
                              " of " + table.row_keys[0] + ", got '" + label + "'");
}

bool is_mixed(const std::vector<TableCell>& row) {
  return std::any_of(row.begin(), row.end(),
                     [](const TableCell& cell) { return has_mark(cell, Mark::kMixed); });
}

// The parameters in which cells of two rows do not agree.
std::set<std::string> unlike(const Table& table, std::size_t left, std::size_t right) {
  std::set<std::string> keys;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const TableCell &a = table.cells[left][column], &b = table.cells[right][column];
    if (a.samples.empty() || b.samples.empty()) continue;
    for (const std::string& key : disagreements(a, b)) keys.insert(key);
  }
  return keys;
}

// Over all columns. Rows that differ in another parameter have no difference.
Difference difference_of_rows(const Table& table, std::size_t a, std::size_t b,
                              const ClaimPairs& pairs) {
  return difference_of(unlike(table, a, b).empty() ? pairs.settings : std::vector<SeedPairs>());
}

// -1 where the left value is claimed to be smaller, else 1.
double direction_of(ParsedClaim::Kind kind, bool lower_is_better) {
  switch (kind) {
    case ParsedClaim::Kind::kLess:
      return -1;
    case ParsedClaim::Kind::kMore:
      return 1;
    case ParsedClaim::Kind::kBest:
      return lower_is_better ? -1 : 1;
    default:
      return lower_is_better ? 1 : -1;
  }
}

// The reason why no test can decide; "" if one can.
std::string obstacle(const Table& table, std::size_t left, const Rows& others,
                     const std::vector<Rival>& rivals) {
  for (const std::size_t other : others)
    for (const std::size_t row : {left, other})
      if (is_mixed(table.cells[row]))
        return "the runs of " + table.rows[row][0] +
               " differ in another parameter: fix it with where, choose it with select, or "
               "pair over it with over";
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::size_t other = others[i];
    const std::string both = table.rows[left][0] + " and " + table.rows[other][0];
    const std::set<std::string> keys = unlike(table, left, other);
    const Difference& difference = rivals[i].difference;
    if (keys.contains(std::string(kParams)))
      return both + " are not of one size: " + matching_rule(table);
    if (!keys.empty())
      return "the runs of " + both + " differ in " + lcsm::joined({keys.begin(), keys.end()}) +
             ": compare equal ones with where, or allow it with across";
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      if (are_of_unlike_machines(table, column, left, other))
        return both + " did not run on one machine, which their speed and memory depend on";
    if (difference.obstacle == Difference::Obstacle::kFewPairs)
      return both + " have fewer than three common seeds";
    if (difference.obstacle == Difference::Obstacle::kNoSpread)
      return both + " differ by " + short_number(difference.mean, 3) +
             " for every seed, as far as the metric resolves: a test needs a spread";
    if (difference.obstacle == Difference::Obstacle::kInfinite)
      return both + " have infinite values, which no test can weigh";
  }
  return "";
}

// A cell with the marks and the programs of all compared cells.
TableCell together(const Table& table, std::size_t left, const Rows& others) {
  std::set<Mark> marks;
  TableCell all;
  const auto add = [&](std::size_t row) {
    for (const TableCell& cell : table.cells[row]) {
      marks.insert(cell.marks.begin(), cell.marks.end());
      all.programs.insert(cell.programs.begin(), cell.programs.end());
    }
  };
  add(left);
  for (const std::size_t row : others) add(row);
  if (all.programs.size() > 1) marks.insert(Mark::kVersions);
  all.marks.assign(marks.begin(), marks.end());
  return all;
}

void compare(const Table& table, const Trainings& trainings, const ParsedClaim& parsed,
             ComparedClaim* out) {
  const std::size_t left = row_of(table, parsed.left);
  Rows others;
  if (!parsed.right.empty()) others = {row_of(table, parsed.right)};
  for (std::size_t row = 0; row < table.rows.size() && parsed.right.empty(); ++row)
    if (row != left) others.push_back(row);
  if (others.empty()) refuse_alone(table.row_keys[0], parsed.left);
  const double direction = direction_of(parsed.kind, table.columns[0].lower_better);
  bool merged = false;
  for (const std::size_t row : others) {
    const ClaimPairs pairs = claim_pairs(table, trainings, left, row);
    const Difference difference = difference_of_rows(table, left, row, pairs);
    out->rivals.push_back(
        {table.rows[row][0], difference, direction * difference.mean, std::ssize(pairs.settings)});
    merged = merged || pairs.merged;
  }
  out->claim.signs = signs_of(together(table, left, others));
  out->claim.why = obstacle(table, left, others, out->rivals);
  out->claim.test = test_name(table, merged);
}

}  // namespace

ComparedClaim compare_claim(Database& database, const Roles& roles, const ClaimSpec& spec) {
  const ParsedClaim parsed = parse_claim(spec.text, spec.scope.names);
  TableSpec request = table_over(spec);
  request.scope.order = {};  // of equal rivals, the first by name counts
  request.columns = spec.over;
  request.across = spec.across;
  request.matched = spec.matched;
  if (!parsed.metric.empty()) request.values = {parsed.metric};
  std::vector<std::string> sides = {parsed.left};
  if (!parsed.right.empty()) sides.push_back(parsed.right);
  check_where(database, roles, request, parsed.key, sides);
  TableSpec filled = request;
  if (parsed.key.empty() || parsed.metric.empty()) {
    const TableRuns runs = load_runs(database, roles, &filled);
    request.rows = {parsed.key.empty() ? key_of(runs, sides) : parsed.key};
    if (request.values.empty() && !filled.values.empty()) request.values = {filled.values[0]};
  } else {
    request.rows = {parsed.key};
  }
  if (request.values.empty())
    throw std::invalid_argument("expected 'in METRIC' at the end of '" + spec.text +
                                "': these runs have no validation metric");
  ComparedClaim out;
  out.claim = {.text = spec.text, .paper = spec.paper, .metric = request.values[0]};
  const Table table = make_table(database, roles, request);
  compare(table, trainings_of(database, table), parsed, &out);
  return out;
}

}  // namespace results
