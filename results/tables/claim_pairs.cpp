#include "results/tables/claim_pairs.h"

#include <algorithm>
#include <iterator>

#include "results/tables/table_steps.h"

namespace results {
namespace {

// The values of two rows in a column, and the trainings that they come from, seed by seed.
struct Column {
  SeedPairs pairs;
  std::map<std::string, std::pair<Training, Training>> trainings;  // by seed, as in `pairs`
};
using Setting = std::vector<Column>;

std::map<std::string, Training> by_seed(const TableCell& cell, const Trainings& trainings) {
  std::map<std::string, Training> out;
  for (const Sample& sample : cell.samples)
    if (sample.value) out[sample.seed] = trainings.at(sample.id);
  return out;
}

Column column_of(const TableCell& a, const TableCell& b, const Trainings& trainings) {
  Column column{common_seeds(a, b), {}};
  const auto of_a = by_seed(a, trainings), of_b = by_seed(b, trainings);
  if (column.pairs.a.empty()) return column;
  for (const auto& [seed, training] : of_a)
    if (const auto other = of_b.find(seed); other != of_b.end())
      column.trainings[seed] = {training, other->second};
  return column;
}

// True if all runs of one row that both columns have were trained alike.
bool trained_alike(const Column& first, const Column& second) {
  bool any = false, all_a = true, all_b = true;
  for (const auto& [seed, one] : first.trainings) {
    const auto other = second.trainings.find(seed);
    if (other == second.trainings.end()) continue;
    any = true;
    all_a = all_a && one.first == other->second.first;
    all_b = all_b && one.second == other->second.second;
  }
  return any && (all_a || all_b);
}

SeedPairs mean_pairs(const Setting& setting) {
  if (setting.size() == 1) return setting[0].pairs;
  struct Sum {
    double a = 0, b = 0, n = 0;
  };
  std::map<std::string, Sum> sums;
  SeedPairs out{{}, {}, setting[0].pairs.scale};
  for (const Column& column : setting) {
    out.scale.examples = std::min(out.scale.examples, column.pairs.scale.examples);
    std::size_t at = 0;
    for (const auto& [seed, trainings] : column.trainings) {
      Sum& sum = sums[seed];
      sum.a += column.pairs.a[at];
      sum.b += column.pairs.b[at++];
      ++sum.n;
    }
  }
  for (const auto& [seed, sum] : sums) {
    out.a.push_back(sum.a / sum.n);
    out.b.push_back(sum.b / sum.n);
  }
  return out;
}

}  // namespace

Trainings trainings_of(const Database& database, const Table& table) {
  Trainings out;
  Statement select(database,
                   "SELECT metric, last FROM runs JOIN summaries USING (run) "
                   "WHERE id = ? AND metric GLOB 'train.*' ORDER BY metric");
  for (const auto& row : table.cells)
    for (const TableCell& cell : row)
      for (const Sample& sample : cell.samples) {
        const auto [at, fresh] = out.try_emplace(sample.id);
        if (!fresh) continue;
        select.reset();
        select.bind_all(sample.id);
        while (select.step()) at->second.emplace_back(select.text(0), select.real(1));
        if (at->second.empty()) at->second.emplace_back(sample.id, 0);
      }
  return out;
}

ClaimPairs claim_pairs(const Table& table, const Trainings& trainings, std::size_t a,
                       std::size_t b) {
  std::vector<Setting> settings;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column column = column_of(table.cells[a][c], table.cells[b][c], trainings);
    if (column.pairs.a.empty()) continue;
    Setting setting = {column};
    for (auto other = settings.begin(); other != settings.end();) {
      const bool alike = std::ranges::any_of(
          *other, [&](const Column& one) { return trained_alike(one, column); });
      if (alike) std::ranges::move(*other, std::back_inserter(setting));
      other = alike ? settings.erase(other) : other + 1;
    }
    settings.push_back(std::move(setting));
  }
  ClaimPairs out;
  for (const Setting& setting : settings) {
    out.settings.push_back(mean_pairs(setting));
    out.merged = out.merged || setting.size() > 1;
  }
  return out;
}

}  // namespace results
