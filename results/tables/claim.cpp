#include "results/tables/claim.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
#include "results/tables/pair_tests.h"
#include "results/tables/statistics.h"
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

// Column by column.
SeedPairs pairs_of(const Table& table, std::size_t left, std::size_t right) {
  SeedPairs all;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const SeedPairs here =
        common_seeds(table.cells[left][column], table.cells[right][column], table.columns[column]);
    all.a.insert(all.a.end(), here.a.begin(), here.a.end());
    all.b.insert(all.b.end(), here.b.begin(), here.b.end());
    all.share = here.share;
    all.least_sd = std::max(all.least_sd, here.least_sd);
  }
  return all;
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

struct Compared {
  std::size_t row = 0;
  Statistics difference;  // left minus this row
  double p = 0;           // corrected
  double margin = 0;      // by how much the claim holds; negative: it does not
};

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

// The tests of a table's marks: all pairs of rows, whichever of them the claim is about.
std::vector<Compared> compare(const Table& table, std::size_t left,
                              const std::vector<std::size_t>& others, double direction) {
  const PairTests tests(table.rows.size(), [&](std::size_t a, std::size_t b) {
    return unlike(table, a, b).empty() ? pairs_of(table, a, b) : SeedPairs{};
  });
  std::vector<Compared> all;
  for (const std::size_t row : others) {
    const Statistics difference = tests.difference(left, row);
    all.push_back({row, difference, tests.p(left, row), direction * difference.mean});
  }
  return all;
}

Verdict verdict_of(const std::vector<Compared>& all) {
  const auto significant = [](const Compared& one) { return one.p < kAlpha; };
  if (std::any_of(all.begin(), all.end(),
                  [&](const Compared& one) { return significant(one) && one.margin < 0; }))
    return Verdict::kContradicted;
  return std::all_of(all.begin(), all.end(), significant) ? Verdict::kSupported
                                                          : Verdict::kUndecided;
}

// The reason why no test decides; "" if one does.
std::string obstacle(const Table& table, std::size_t left, const std::vector<Compared>& all) {
  for (const Compared& one : all)
    for (const std::size_t row : {left, one.row})
      if (is_mixed(table.cells[row]))
        return "the runs of " + table.rows[row][0] +
               " differ in another parameter: fix it with where, choose it with select, or "
               "pair over it with over";
  for (const Compared& one : all) {
    const std::string both = table.rows[left][0] + " and " + table.rows[one.row][0];
    if (const std::set<std::string> keys = unlike(table, left, one.row); !keys.empty())
      return "the runs of " + both + " differ in " + lcsm::joined({keys.begin(), keys.end()}) +
             ": compare equal ones with where, or allow it with across";
    if (one.difference.n < kFewestPairs) return both + " have fewer than three common seeds";
    if (std::isnan(one.p)) return "the differences of " + both + " are equal: no spread is known";
  }
  return "";
}

// A cell with the marks of all compared cells.
TableCell together(const Table& table, std::size_t left, const std::vector<Compared>& all) {
  std::set<Mark> marks;
  const auto add = [&](std::size_t row) {
    for (const TableCell& cell : table.cells[row])
      marks.insert(cell.marks.begin(), cell.marks.end());
  };
  add(left);
  for (const Compared& one : all) add(one.row);
  TableCell cell;
  cell.marks.assign(marks.begin(), marks.end());
  return cell;
}

void answer(const Table& table, const ParsedClaim& parsed, Claim* claim) {
  const std::size_t left = row_of(table, parsed.left);
  std::vector<std::size_t> others;
  if (!parsed.right.empty()) others = {row_of(table, parsed.right)};
  for (std::size_t row = 0; row < table.rows.size() && parsed.right.empty(); ++row)
    if (row != left) others.push_back(row);
  if (others.empty())
    throw std::invalid_argument("expected another value of " + table.row_keys[0] +
                                " to compare with, got only '" + parsed.left + "'");
  const double direction = direction_of(parsed.kind, table.columns[0].lower_better);
  const std::vector<Compared> all = compare(table, left, others, direction);
  const Compared& rival =
      *std::min_element(all.begin(), all.end(),
                        [](const Compared& a, const Compared& b) { return a.margin < b.margin; });
  const Statistics& effect = rival.difference;
  claim->against = table.rows[rival.row][0];
  claim->effect = effect.mean;
  claim->low = effect.low;
  claim->high = effect.high;
  claim->p = rival.p;
  claim->n = effect.n;
  claim->signs = signs_of(together(table, left, all));
  claim->why = obstacle(table, left, all);
  claim->verdict = claim->why.empty() ? verdict_of(all) : Verdict::kUndecided;
  claim->test = test_name(table.column_keys);
  if (const std::size_t rows = table.rows.size(); rows > 2)
    claim->test += ", Holm's correction over " + std::to_string(rows * (rows - 1) / 2) + " pairs";
}

std::string text_of(double value, const char* format = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

Claim answer_claim(Database& database, const Roles& roles, const ClaimSpec& spec) {
  const ParsedClaim parsed = parse_claim(spec.text);
  TableSpec request = table_over(spec);
  request.columns = spec.over;
  request.across = spec.across;
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
  answer(make_table(database, roles, request), parsed, &claim);
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
