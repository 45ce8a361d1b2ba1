// A metric over a parameter or over the steps of training: the numbers of a table, to be drawn.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/tables/table.h"

namespace results {

// ----- What is asked -----

// What is drawn around the mean over seeds.
enum class Band { kRange, kSd, kInterval, kNone };
struct BandRow {
  Band band;
  std::string_view name, meaning;
};
inline constexpr std::array kBands = {
    BandRow{Band::kRange, "range", "from the lowest to the highest seed"},
    BandRow{Band::kSd, "sd", "one standard deviation over seeds"},
    BandRow{Band::kInterval, "interval", "the 95 % interval of the mean by Student's t"},
    BandRow{Band::kNone, "none", ""},
};

// The band of that name, the first for no name. Throws std::invalid_argument.
Band parse_band(const std::string& name);

inline constexpr std::string_view kStepAxis = "step";

struct FigureSpec {
  std::string sweep = {}, title = {};    // no title: the sweep's
  std::string x = {};                    // a parameter, or kStepAxis
  std::string y = {};                    // parse_value; over steps a metric
  std::vector<std::string> series = {};  // parameters, a line each; empty: what varies
  std::vector<std::string> facets = {};  // parameters, a panel each
  bool log_x = false, log_y = false;
  Band band = Band::kRange;
  bool published = true;
  std::vector<std::string> tuned = {};  // as in TableSpec
  std::string by = {};
  std::vector<std::pair<std::string, std::string>> where = {};
  std::vector<PlannedRun> planned = {};
  std::set<std::string> only = {};
};

// ----- What is drawn -----

struct FigurePoint {
  double x = 0;                     // of an axis of names: 0, 1, 2 ...
  double y = 0, low = 0, high = 0;  // NaN where there is nothing
  std::int64_t n = 0;               // runs
  std::string signs;                // of kMarks
  std::string chosen;
  std::optional<double> published;  // at this x
};

struct FigureSeries {
  std::size_t name = 0;  // index into Figure::series
  std::vector<FigurePoint> points;
  std::optional<double> published;  // whatever x is
};

struct FigurePanel {
  std::string title;
  std::vector<FigureSeries> series;
};

struct Figure {
  std::string title, x, y;
  bool log_x = false, log_y = false, over_steps = false;
  std::vector<std::string> x_names = {};  // of an axis of names; empty: an axis of numbers
  std::vector<std::string> series = {};   // names, in the order of the key
  std::vector<FigurePanel> panels = {};
  std::vector<std::string> notes = {};
  bool has_published = false;
};

// Throws std::invalid_argument for what cannot be drawn.
Figure make_figure(Database& database, const Roles& roles, const FigureSpec& spec);

// A line for each point: facet, series, x, mean, low, high, n, published, chosen, marks.
std::string figure_csv(const Figure& figure);

}  // namespace results
