// Estimates how much each parameter matters.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "results/figures/figure_axes.h"
#include "results/figures/figure_steps.h"
#include "results/tables/table_steps.h"
#include "results/text/number_text.h"

namespace results {
namespace {

struct Group {
  double sum = 0;
  int n = 0;
};

// The means of a panel's cells, and how sure they are.
struct Means {
  std::vector<std::vector<std::string>> labels;
  std::vector<double> values;
  std::int64_t runs = 0, left_out = 0;
  double noise = 0;  // sum of the squared standard errors; NaN if some mean is of one run
};

Means means_of(const FigureSource& source, std::size_t column) {
  Means means;
  for (std::size_t row = 0; row < source.table.rows.size(); ++row) {
    const TableCell& cell = source.table.cells[row][column];
    const Statistics& s = cell.statistics;
    if (!is_shown(s.mean, source.spec.log_y)) {
      means.left_out += cell.samples.empty() ? 0 : 1;
      continue;
    }
    means.labels.push_back(source.table.rows[row]);
    means.values.push_back(source.spec.log_y ? std::log10(s.mean) : s.mean);
    means.runs += s.n;
    const double scale = source.spec.log_y ? s.mean * std::log(10) : 1;
    means.noise +=
        s.n > 1 ? s.sd * s.sd / static_cast<double>(s.n) / (scale * scale) : std::nan("");
  }
  return means;
}

double variance_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / n;
}

std::string percent(double part) { return short_number(100 * part, part < 0.995 ? 2 : 3) + " %"; }

void add_notes_of(const Means& means, const Shares& shares, const std::string& panel,
                  Figure* figure) {
  const std::string where = panel.empty() ? "" : panel + ": ";
  const auto note = [&](const std::string& text) { figure->notes.push_back(where + text); };
  note_left_out(means.left_out, panel, figure);
  if (shares.main.empty() || std::isnan(shares.main[0])) {
    note("fewer than two means that differ: no variance to share");
    return;
  }
  if (std::isnan(shares.interactions))
    note("incomplete: " + std::to_string(means.values.size()) + " of " +
         short_number(shares.combinations) +
         " combinations of values have a result. The shares of parameters that vary together mix, "
         "and need not add up to 1; interactions are unknown");
  if (!std::isnan(means.noise))
    note("seeds explain about " +
         percent(std::min(1.0, means.noise / static_cast<double>(means.values.size()) /
                                   variance_of(means.values))) +
         " of the variance of the means: smaller shares may be chance");
}

}  // namespace

Shares shares_of(const std::vector<std::vector<std::string>>& labels,
                 const std::vector<double>& values) {
  Shares shares;
  if (values.empty()) return shares;
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  const double all = variance_of(values);
  double explained = 0;
  for (std::size_t key = 0; key < labels[0].size(); ++key) {
    std::map<std::string, Group> groups;
    for (std::size_t i = 0; i < values.size(); ++i) {
      Group& group = groups[labels[i][key]];
      group.sum += values[i];
      ++group.n;
    }
    shares.combinations *= static_cast<double>(groups.size());
    double variance = 0;
    for (const auto& [label, group] : groups)
      variance += group.n * (group.sum / group.n - mean) * (group.sum / group.n - mean) / n;
    shares.main.push_back(all > 0 ? variance / all : std::nan(""));
    explained += shares.main.back();
  }
  shares.interactions = shares.combinations == n ? std::max(0.0, 1 - explained) : std::nan("");
  return shares;
}

void collect_shares(const FigureSource& source, Figure* figure) {
  const Table& table = source.table;
  std::vector<Shares> all;
  std::vector<double> sums(table.row_keys.size());
  figure->series = {""};
  std::vector<std::int64_t> runs;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    const Means means = means_of(source, column);
    all.push_back(shares_of(means.labels, means.values));
    runs.push_back(means.runs);
    all.back().main.resize(sums.size(), std::nan(""));
    const FigurePanel* panel = panel_of(source.spec, table.columns[column].labels, figure);
    add_notes_of(means, all.back(), panel->title, figure);
    for (std::size_t key = 0; key < sums.size(); ++key)
      if (!std::isnan(all.back().main[key])) sums[key] += all.back().main[key];
  }
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  for (const std::size_t key : order) figure->x_names.push_back(table.row_keys[key]);
  const bool complete = std::any_of(all.begin(), all.end(), [](const Shares& shares) {
    return !std::isnan(shares.interactions);
  });
  if (complete) figure->x_names.emplace_back("interactions");
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto& points = figure->panels[i].series[0].points;
    const auto add = [&](double share) {
      const auto x = static_cast<double>(points.size());
      points.push_back({x, share, share, share, runs[i], "", "", {}});
    };
    for (const std::size_t key : order) add(all[i].main[key]);
    if (complete) add(all[i].interactions);
  }
  const std::string of = std::string(figure->log_y ? "the logarithm of " : "") + figure->y;
  figure->y = "share of variance";
  figure->x = "parameter";
  figure->log_y = false;
  figure->decimals = 3;
  figure->notes.push_back("share of the variance of " + of +
                          ", means over seeds, that the mean "
                          "for each value of the parameter explains (main effects of the "
                          "functional ANOVA)");
}

}  // namespace results
