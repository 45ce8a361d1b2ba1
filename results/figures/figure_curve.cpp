// Turns the runs of a cell into the curve of a series.
#include <cmath>
#include <map>
#include <stdexcept>

#include "lcsm/base/row_names.h"
#include "lcsm/base/words.h"
#include "results/figures/figure_steps.h"
#include "results/tables/table_steps.h"

namespace results {
namespace {

// The curve of a run; if a step was measured twice, the later value counts.
std::map<std::int64_t, double> curve_of(Database& database, const std::string& id,
                                        const std::string& metric) {
  Statement select(database,
                   "SELECT step, value FROM history WHERE id = ?1 AND metric = ?2 ORDER BY seq", id,
                   metric);
  std::map<std::int64_t, double> curve;
  while (select.step())
    curve[select.integer(0)] = select.is_null(1) ? std::nan("") : select.real(1);
  return curve;
}

}  // namespace

Band parse_band(const std::string& name) {
  if (name.empty()) return kBands[0].band;
  if (const BandRow* const row = lcsm::row_named(kBands, name); row != nullptr) return row->band;
  throw std::invalid_argument("expected one of " + lcsm::joined_of(kBands, &BandRow::name) +
                              ", got '" + name + "'");
}

std::vector<double> values_of(const TableCell& cell) {
  std::vector<double> values;
  for (const Sample& sample : cell.samples)
    if (sample.value) values.push_back(*sample.value);
  return values;
}

void spread_band(Band band, const std::vector<double>& values, const Statistics& statistics,
                 FigurePoint* point) {
  point->low = point->high = statistics.mean;
  if (values.size() < 2) return;
  if (band == Band::kRange) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    point->low = *low;
    point->high = *high;
  } else if (band == Band::kSd) {
    point->low = statistics.mean - statistics.sd;
    point->high = statistics.mean + statistics.sd;
  } else if (band == Band::kInterval) {
    point->low = statistics.low;
    point->high = statistics.high;
  }
}

bool add_curve(Database& database, const TableCell& cell, const FigureSpec& spec,
               FigureSeries* series) {
  std::map<std::int64_t, std::vector<double>> at_step;
  std::size_t runs = 0;
  for (const Sample& sample : cell.samples) {
    if (!sample.value) continue;
    ++runs;
    for (const auto& [step, value] : curve_of(database, sample.id, parse_value(spec.y).metric))
      if (!std::isnan(value)) at_step[step].push_back(value);
  }
  bool left_out = false;
  for (const auto& [step, values] : at_step) {
    left_out = left_out || values.size() < runs;
    if (values.size() < runs) continue;
    const Statistics statistics = statistics_of(values, cell.scale);
    FigurePoint point{
        static_cast<double>(step), statistics.mean, 0, 0, statistics.n, "", cell.chosen, {}};
    spread_band(spec.band, values, statistics, &point);
    series->points.push_back(point);
  }
  if (!series->points.empty()) series->points.back().signs = signs_of(cell);
  return left_out;
}

}  // namespace results
