#include "results/tables/claim.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#include "lcsm/base/words.h"
#include "results/tables/difference.h"
#include "results/tables/table_runs.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

std::string test_name(const std::vector<std::string>& over) {
  return "paired t-test over common seeds" + (over.empty() ? "" : " of each " + lcsm::joined(over));
}

// The varying parameter that has all of `values` among these runs.
std::string key_of(const TableRuns& runs, const std::vector<std::string>& values) {
  std::vector<std::string> found;
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
  }
  if (found.size() == 1) return found[0];
  const std::string names = lcsm::joined(found);
  throw std::invalid_argument("expected values of one parameter that varies, got '" + values[0] +
                              "' and '" + values[1] + "' of " + (names.empty() ? "none" : names) +
                              ": add 'of KEY'");
}

std::size_t row_of(const Table& table, const std::string& label) {
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (same_value(table.rows[row][0], label)) return row;
  throw std::invalid_argument("expected one of " +
                              lcsm::joined_of(table.rows, [](const auto& row) { return row[0]; }) +
                              " of " + table.row_keys[0] + ", got '" + label + "'");
}

bool is_mixed(const std::vector<TableCell>& row) {
  return std::any_of(row.begin(), row.end(), [](const TableCell& cell) {
    return std::find(cell.marks.begin(), cell.marks.end(), Mark::kMixed) != cell.marks.end();
  });
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
Difference difference_of_rows(const Table& table, std::size_t a, std::size_t b) {
  std::vector<SeedPairs> settings;
  if (unlike(table, a, b).empty())
    for (std::size_t column = 0; column < table.columns.size(); ++column)
      settings.push_back(common_seeds(table.cells[a][column], table.cells[b][column]));
  return difference_of(settings);
}

struct Rival {
  std::size_t row = 0;
  Difference difference;  // left minus this row
  double p = 0;           // corrected ...
  std::size_t tests = 0;  // ... over as many
  double margin = 0;      // by how much the claim holds; negative: it does not
};
using Rivals = std::vector<Rival>;

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

bool same_runs(const TableCell& a, const TableCell& b) {
  return std::equal(a.samples.begin(), a.samples.end(), b.samples.begin(), b.samples.end(),
                    [](const Sample& x, const Sample& y) { return x.id == y.id; });
}

// The corrected p of a table's test of the same runs and value; 0 if the table has none.
double p_in(const Table& table, const std::string& value, const TableCell& left,
            const TableCell& right) {
  double p = 0;
  for (const PairTest& test : table.tests) {
    if (table.columns[test.column].value != value) continue;
    const TableCell& a = table.cells[test.a][test.column];
    const TableCell& b = table.cells[test.b][test.column];
    if ((same_runs(a, left) && same_runs(b, right)) || (same_runs(a, right) && same_runs(b, left)))
      p = std::max(p, test.p);
  }
  return p;
}

// Takes the p of a table beside the claim that tests the same pair, so that marks and claim agree.
void agree_with(const Table& shown, const Table& table, std::size_t left, Rival* rival) {
  if (std::isnan(rival->p) || table.columns.size() > 1) return;
  const double p =
      p_in(shown, table.columns[0].value, table.cells[left][0], table.cells[rival->row][0]);
  if (p < rival->p) return;
  rival->p = p;
  rival->tests = shown.tests.size();
}

// Corrected over all pairs of rows, whichever of them the claim is about: a claim is often made
// after a look at them.
Rivals compare(const Table& table, std::size_t left, const std::vector<std::size_t>& others,
               double direction, const std::vector<Table>& beside) {
  std::vector<double> p;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> place;
  for (std::size_t b = 1; b < table.rows.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      place[{a, b}] = p.size();
      p.push_back(difference_of_rows(table, a, b).p);
    }
  p = holm(p);
  const auto tests = static_cast<std::size_t>(
      std::count_if(p.begin(), p.end(), [](double one) { return !std::isnan(one); }));
  Rivals all;
  for (const std::size_t row : others) {
    Rival one{row, difference_of_rows(table, left, row), p[place.at(std::minmax(left, row))],
              tests};
    one.margin = direction * one.difference.mean;
    for (const Table& shown : beside) agree_with(shown, table, left, &one);
    all.push_back(std::move(one));
  }
  return all;
}

Verdict verdict_of(const Rivals& all) {
  const auto significant = [](const Rival& one) { return one.p < kAlpha; };
  if (std::any_of(all.begin(), all.end(),
                  [&](const Rival& one) { return significant(one) && one.margin < 0; }))
    return Verdict::kContradicted;
  return std::all_of(all.begin(), all.end(), significant) ? Verdict::kSupported
                                                          : Verdict::kUndecided;
}

// The reason why no test decides; "" if one does.
std::string obstacle(const Table& table, std::size_t left, const Rivals& all) {
  for (const Rival& one : all)
    for (const std::size_t row : {left, one.row})
      if (is_mixed(table.cells[row]))
        return "the runs of " + table.rows[row][0] +
               " differ in another parameter: fix it with where, choose it with select, or "
               "pair over it with over";
  for (const Rival& one : all) {
    const std::string both = table.rows[left][0] + " and " + table.rows[one.row][0];
    const std::set<std::string> keys = unlike(table, left, one.row);
    if (keys.contains(std::string(kParams)))
      return both + " are not of one size: " + matching_rule(table);
    if (!keys.empty())
      return "the runs of " + both + " differ in " + lcsm::joined({keys.begin(), keys.end()}) +
             ": compare equal ones with where, or allow it with across";
    if (one.difference.obstacle == Difference::Obstacle::kFewPairs)
      return both + " have fewer than three common seeds";
    if (one.difference.obstacle == Difference::Obstacle::kNoSpread)
      return both + " differ by " + short_number(one.difference.mean, 3) +
             " for every seed, as far as the metric resolves: a test needs a spread";
  }
  return "";
}

// A cell with the marks of all compared cells.
TableCell together(const Table& table, std::size_t left, const Rivals& all) {
  std::set<Mark> marks;
  const auto add = [&](std::size_t row) {
    for (const TableCell& cell : table.cells[row])
      marks.insert(cell.marks.begin(), cell.marks.end());
  };
  add(left);
  for (const Rival& one : all) add(one.row);
  TableCell cell;
  cell.marks.assign(marks.begin(), marks.end());
  return cell;
}

void answer(const Table& table, const ParsedClaim& parsed, const std::vector<Table>& beside,
            Claim* claim) {
  const std::size_t left = row_of(table, parsed.left);
  std::vector<std::size_t> others;
  if (!parsed.right.empty()) others = {row_of(table, parsed.right)};
  for (std::size_t row = 0; row < table.rows.size() && parsed.right.empty(); ++row)
    if (row != left) others.push_back(row);
  if (others.empty())
    throw std::invalid_argument("expected another value of " + table.row_keys[0] +
                                " to compare with, got only '" + parsed.left + "'");
  const double direction = direction_of(parsed.kind, table.columns[0].lower_better);
  const Rivals all = compare(table, left, others, direction, beside);
  const Rival& rival = *std::min_element(
      all.begin(), all.end(), [](const Rival& a, const Rival& b) { return a.margin < b.margin; });
  claim->against = table.rows[rival.row][0];
  claim->effect = rival.difference.mean;
  claim->n = rival.difference.n;
  claim->signs = signs_of(together(table, left, all));
  claim->why = obstacle(table, left, all);
  claim->test = test_name(table.column_keys);
  if (rival.tests > 1)
    claim->test += ", Holm's correction over " + std::to_string(rival.tests) + " tests";
  if (!claim->why.empty()) return;
  // Corrected as p is, so that it has 0 exactly where p is not below alpha.
  const double correction =
      rival.difference.p > 0 ? std::max(1.0, rival.p / rival.difference.p) : 1;
  const Difference::Interval interval = rival.difference.interval(kAlpha / correction);
  claim->low = interval.low;
  claim->high = interval.high;
  claim->p = rival.p;
  claim->verdict = verdict_of(all);
}

std::string text_of(double value, const char* format = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Claim answer_claim(Database& database, const Roles& roles, const ClaimSpec& spec,
                   const std::vector<Table>& beside) {
  const ParsedClaim parsed = parse_claim(spec.text, spec.names);
  TableSpec request = table_over(spec);
  request.columns = spec.over;
  request.across = spec.across;
  request.matched = spec.matched;
  if (!parsed.metric.empty()) request.values = {parsed.metric};
  TableSpec filled = request;
  if (parsed.key.empty() || parsed.metric.empty()) {
    const TableRuns runs = load_runs(database, roles, &filled);
    request.rows = {parsed.key.empty() ? key_of(runs, {parsed.left, parsed.right}) : parsed.key};
    if (request.values.empty() && !filled.values.empty()) request.values = {filled.values[0]};
  } else {
    request.rows = {parsed.key};
  }
  if (request.values.empty())
    throw std::invalid_argument("expected 'in METRIC' at the end of '" + spec.text +
                                "': these runs have no validation metric");
  Claim claim{.text = spec.text, .paper = spec.paper, .metric = request.values[0]};
  answer(make_table(database, roles, request), parsed, beside, &claim);
  return claim;
}

std::string verdict_name(const Claim& claim) {
  return std::string(kVerdicts[static_cast<std::size_t>(claim.verdict)]);
}

std::string claim_sentence(const Claim& claim) {
  return verdict_name(claim) + ": " + claim_reason(claim);
}

std::string claim_reason(const Claim& claim) {
  std::string out = claim.text;
  if (!claim.why.empty()) return out + " (" + claim.why + ")";
  out += " (" + claim.metric + " minus that of " + claim.against + ": " +
         text_of(claim.effect, "%+.4g");
  if (!std::isnan(claim.low))
    out += ", 95 % interval " + text_of(claim.low, "%+.4g") + " to " + text_of(claim.high, "%+.4g");
  return out + "; " + claim.test + ", p = " + text_of(claim.p, "%.2g") +
         ", n = " + std::to_string(claim.n) +
         (claim.signs.empty() ? "" : "; marks " + claim.signs) + ")";
}

}  // namespace results
