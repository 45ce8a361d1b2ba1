// Turns a table into a figure: metrics over a parameter, over training steps or over each other,
// and the effects of parameters on a metric.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/tables/table.h"

namespace results {

// ----- The request -----

// The band around the mean over seeds.
enum class Band { kRange, kSd, kInterval, kNone };
struct BandRow {
  Band band;
  std::string_view name, help;
};
inline constexpr std::array kBands = {
    BandRow{Band::kRange, "range", "from the lowest to the highest seed"},
    BandRow{Band::kSd, "sd", "one standard deviation over seeds"},
    BandRow{Band::kInterval, "interval", "the 95 % interval of the mean by Student's t"},
    BandRow{Band::kNone, "none", ""},
};

// The band of that name; the first one for an empty name. Throws std::invalid_argument.
Band parse_band(const std::string& name);

inline constexpr std::string_view kStepAxis = "step";

struct FigureSpec {
  std::string sweep = {}, title = {};    // empty title: the sweep's
  std::string x = {};                    // a parameter, kStepAxis, a metric: figure_kinds.h
  std::string y = {};                    // a value (parse_value); over steps, a metric
  std::vector<std::string> series = {};  // parameters, a line per value; empty: those that vary
  std::vector<std::string> facets = {};  // parameters, a panel per value
  std::optional<bool> log_x = {};  // default: if x is a parameter whose values grow by factors
  bool log_y = false;
  std::string kind = {};  // a row of figure_kinds.h; empty: the default for this x
  Band band = Band::kRange;
  bool published = true;
  std::vector<std::string> tuned = {};  // as in TableSpec
  std::string by = {};
  std::vector<Condition> where = {};
  ViewScope scope = {};
};

// ----- The result -----

struct FigurePoint {
  double x = 0;                     // on an axis of names: 0, 1, 2 ...
  double y = 0, low = 0, high = 0;  // NaN if there is no value
  std::int64_t n = 0;               // runs
  std::string signs;                // of kMarks
  std::string chosen;
  std::optional<double> published;       // at this x
  std::vector<std::string> labels = {};  // values of Figure::keys
};

struct FigureSeries {
  std::size_t name = 0;  // index into Figure::series
  std::vector<FigurePoint> points;
  std::optional<double> published;  // at every x
};

struct FigurePanel {
  std::string title;
  std::vector<FigureSeries> series;
};

struct Figure {
  std::string title, x, y;
  std::string kind = {};  // as in FigureSpec
  bool log_x = false, log_y = false, over_steps = false;
  std::vector<std::string> x_names = {};  // not empty: the axis has names, not numbers
  std::vector<std::string> series = {};   // names, in the order of the legend
  std::string series_key = {};            // the parameter that distinguishes them, if one does
  std::vector<std::string> keys = {};     // parameters that distinguish the points of a series
  int decimals = 3;                       // of a mean that is written out
  bool lower_better = false;              // of y
  std::vector<FigurePanel> panels = {};
  std::vector<std::string> notes = {};
  bool has_published = false;
};

// The series as the legend names them: a number with its parameter, "model.d = 64".
std::vector<std::string> legend_of(const Figure& figure);

// Sets the logarithmic axes: "x" and "y", or "none". An empty list changes nothing. Throws
// std::invalid_argument.
void set_log(const std::vector<std::string>& axes, FigureSpec* spec);

// Throws std::invalid_argument for a spec that no runs could satisfy.
void check_figure(const FigureSpec& spec);

// Throws std::invalid_argument for a spec that cannot be drawn.
Figure make_figure(Database& database, const Roles& roles, const FigureSpec& spec);

// A line per point: facet, series, its labels, x, mean, low, high, n, published, chosen, marks.
std::string figure_csv(const Figure& figure);

}  // namespace results
