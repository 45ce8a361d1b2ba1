#include "results/tables/claim.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>

#include "lcsm/base/words.h"
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
SeedPairs pairs_of(const std::vector<TableCell>& left, const std::vector<TableCell>& right) {
  SeedPairs all;
  for (std::size_t column = 0; column < left.size(); ++column) {
    const SeedPairs here = common_seeds(left[column], right[column]);
    all.a.insert(all.a.end(), here.a.begin(), here.a.end());
    all.b.insert(all.b.end(), here.b.begin(), here.b.end());
  }
  return all;
}

struct Compared {
  std::size_t row = 0;
  SeedPairs pairs;
  double p = 0;       // corrected
  double margin = 0;  // by how much the claim holds; negative: it does not
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

std::vector<double> differences(const SeedPairs& pairs) {
  std::vector<double> out;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) out.push_back(pairs.a[i] - pairs.b[i]);
  return out;
}

std::vector<Compared> compare(const Table& table, std::size_t left,
                              const std::vector<std::size_t>& others, double direction) {
  std::vector<Compared> all;
  std::vector<double> p;
  for (const std::size_t row : others) {
    Compared one{row, pairs_of(table.cells[left], table.cells[row]), 0, 0};
    one.margin = direction * statistics_of(differences(one.pairs)).mean;
    p.push_back(paired_t_test(one.pairs.a, one.pairs.b));
    all.push_back(std::move(one));
  }
  p = holm(p);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].p = p[i];
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
  for (const Compared& one : all)
    if (one.pairs.a.size() < 2)
      return table.rows[left][0] + " and " + table.rows[one.row][0] +
             " have fewer than two common seeds";
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
  const Statistics effect = statistics_of(differences(rival.pairs));
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
  if (all.size() > 1)
    claim->test += ", Holm's correction over " + std::to_string(all.size()) + " rivals";
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
