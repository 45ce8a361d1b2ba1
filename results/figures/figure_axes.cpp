#include "results/figures/figure_axes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "results/text/number_text.h"

namespace results {
namespace {

constexpr std::size_t kMostValues = 10;  // of x, for a tick at each
constexpr int kMostPowers = 30;          // of ten, with a tick at each
constexpr double kLeastApart = 0.07;     // as a part of the axis, so that tick labels fit

// Beyond these, differences, margins and ticks would overflow, or vanish.
constexpr double kLargest = 1e300, kSmallest = 1e-300;

// The least margin: more than the distance of neighboring numbers, so that ticks are apart.
double least_margin(double low, double high) {
  return std::max(kSmallest, 1e-9 * std::max(std::abs(low), std::abs(high)));
}

template <class Take>
void for_each_point(const Figure& figure, const Take& take) {
  for (const FigurePanel& panel : figure.panels)
    for (const FigureSeries& series : panel.series)
      for (const FigurePoint& point : series.points) take(series, point);
}

// Adds a margin of 1/20 of the range on both sides, or of 1/20 of the value if all are equal.
void set_range(const std::vector<double>& values, Axis* axis) {
  if (values.empty()) {
    axis->low = axis->log ? 1 : 0;
    axis->high = axis->log ? 10 : 1;
    return;
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  double low = axis->log ? std::log10(*least) : *least;
  double high = axis->log ? std::log10(*most) : *most;
  double margin = (high - low) / 20;
  if (margin == 0) margin = axis->log ? 0.1 : low == 0 ? 1 : std::abs(low) / 20;
  margin = std::max(margin, least_margin(low, high));
  low -= margin;
  high += margin;
  constexpr double kMostPower = 307;
  axis->low = axis->log ? std::pow(10, std::max(low, -kMostPower)) : low;
  axis->high = axis->log ? std::pow(10, std::min(high, kMostPower)) : high;
}

// Steps of 1, 2 or 5 times a power of ten, for about four steps in the range.
double nice_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 4)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (range / (factor * power) <= 6) return factor * power;
  return 10 * power;
}

void add_tick(double value, Axis* axis) {
  if (value < axis->low || value > axis->high) return;
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value + 0.0);  // prints 3 * 0.1 as 0.3 and -0 as 0
  axis->ticks.emplace_back(value, text);
}

void add_even_ticks(Axis* axis) {
  const double step = nice_step(axis->high - axis->low);
  for (double k = std::ceil(axis->low / step); k * step <= axis->high; ++k)
    add_tick(k * step, axis);
}

// Even steps; on a logarithmic axis 1, 2 and 5 times the powers of ten, if three or more fit.
void set_ticks(Axis* axis) {
  axis->ticks.clear();
  if (!axis->log) return add_even_ticks(axis);
  const double low = std::max(axis->low, std::numeric_limits<double>::denorm_min());
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(axis->high)));
  const bool many = last - first > 4;
  const int each = 1 + (last - first) / kMostPowers;
  for (int power = first / each * each; power <= last; power += each)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor == 1 || !many) add_tick(factor * std::pow(10, power), axis);
  if (axis->ticks.size() >= 3) return;
  axis->ticks.clear();
  add_even_ticks(axis);
}

// A tick at each value of x, if there are few.
void set_value_ticks(const std::set<double>& values, Axis* axis) {
  if (values.size() > kMostValues) return;
  double before = -1;
  for (const double value : values) {
    const double part = part_of(value, *axis);
    if (part - before < kLeastApart) return axis->ticks.clear();
    add_tick(value, axis);
    before = part;
  }
}

}  // namespace

double Axis::at(double part) const {
  return log ? low * std::exp(part * (std::log(high) - std::log(low))) : low + (high - low) * part;
}

double part_of(double value, const Axis& axis) {
  if (!axis.log) return (value - axis.low) / (axis.high - axis.low);
  return (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low));
}

bool is_shown(double value, bool log) {
  return std::abs(value) <= kLargest && (!log || value >= kSmallest);
}

Axis x_axis(const Figure& figure) {
  Axis axis{figure.log_x, 0, 1, {}, figure.x};
  if (!figure.x_names.empty()) {
    axis.low = -0.5;
    axis.high = static_cast<double>(figure.x_names.size()) - 0.5;
    for (std::size_t i = 0; i < figure.x_names.size(); ++i)
      axis.ticks.emplace_back(static_cast<double>(i), figure.x_names[i]);
    return axis;
  }
  std::set<double> values;
  for_each_point(figure, [&](const FigureSeries&, const FigurePoint& point) {
    if (is_shown(point.x, axis.log)) values.insert(point.x);
  });
  set_range({values.begin(), values.end()}, &axis);
  if (!figure.over_steps) set_value_ticks(values, &axis);
  if (axis.ticks.empty()) set_ticks(&axis);
  return axis;
}

Axis y_axis(const Figure& figure) {
  Axis axis{figure.log_y, 0, 1, {}, figure.y};
  std::vector<double> values;
  const auto take = [&](double value) {
    if (is_shown(value, axis.log)) values.push_back(value);
  };
  for_each_point(figure, [&](const FigureSeries& series, const FigurePoint& point) {
    for (const double value : {point.y, point.low, point.high}) take(value);
    if (point.published) take(*point.published);
    if (series.published) take(*series.published);
  });
  set_range(values, &axis);
  set_ticks(&axis);
  return axis;
}

Axis rows_axis(const Figure& figure) {
  const std::size_t rows = std::max<std::size_t>(1, figure.series.size());
  Axis axis{
      .low = static_cast<double>(rows) - 0.5, .high = -0.5, .ticks = {}, .name = figure.series_key};
  for (std::size_t i = 0; i < figure.series.size(); ++i)
    axis.ticks.emplace_back(static_cast<double>(i), figure.series[i]);
  return axis;
}

Axis shares_axis(const Figure& figure) {
  Axis axis = y_axis(figure);
  axis.low = 0;
  axis.high *= 1.08;  // for the number on the highest bar
  set_ticks(&axis);
  return axis;
}

Axis keys_axis(const Figure& figure) {
  Axis axis = x_axis(figure);
  axis.low += 0.4;
  axis.high -= 0.1;  // for the values beside the last
  return axis;
}

Axis upright_axis(const Figure&) {
  return {.low = -0.02, .high = 1.08, .ticks = {}, .bare = true};  // for the values at the top
}

Axis colour_axis(const Figure& figure) {
  Axis axis{figure.log_y, 0, 1, {}, figure.y};
  std::set<double> values;
  for_each_point(figure, [&](const FigureSeries&, const FigurePoint& point) {
    if (is_shown(point.y, axis.log)) values.insert(point.y);
  });
  if (values.empty()) values = {1};
  axis.low = *values.begin();
  axis.high = *values.rbegin();
  if (axis.low == axis.high) axis.high += axis.low == 0 ? 1 : std::abs(axis.low);
  axis.high = std::max(axis.high, axis.low + least_margin(axis.low, axis.high));
  set_ticks(&axis);
  return axis;
}

std::string value_text(const Figure& figure, double value) {
  if (std::abs(value) >= 1e6) return short_number(value, 4);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", figure.decimals, value);
  return text;
}

}  // namespace results
