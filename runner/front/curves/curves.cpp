#include "runner/front/curves/curves.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace runner {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The number of points per curve that keeps all curves together within the limits.
std::size_t points_of_each(const results::Database& database, const std::vector<std::string>& ids,
                           const CurveLimits& limits) {
  std::vector<std::size_t> sizes;
  results::Statement rows(database,
                          "SELECT rows FROM summaries JOIN runs USING (run) WHERE id = ?");
  for (const std::string& id : ids) {
    rows.bind(1, id);
    while (rows.step()) sizes.push_back(static_cast<std::size_t>(rows.integer(0)));
    rows.reset();
  }
  std::size_t most = limits.of_one;
  const auto all = [&] {
    std::size_t sum = 0;
    for (const std::size_t size : sizes) sum += std::min(size, most);
    return sum;
  };
  while (most > limits.least && all() > limits.of_all) most = most * 9 / 10;
  return std::max(most, limits.least);
}

}  // namespace

std::vector<Curve> read_curves(results::Database& database, const std::vector<std::string>& ids,
                               const CurveLimits& limits) {
  const std::size_t most = points_of_each(database, ids, limits);
  std::vector<Curve> curves;
  results::Statement rows(
      database,
      "SELECT metric, step, value FROM metrics m JOIN attempts a USING (run, attempt) "
      "WHERE m.run = (SELECT run FROM runs WHERE id = ?) AND (kept_to IS NULL OR seq <= kept_to) "
      "ORDER BY metric, seq");
  for (std::size_t run = 0; run < ids.size(); ++run) {
    const std::size_t first = curves.size();
    rows.bind(1, ids[run]);
    while (rows.step()) {
      const std::string metric = rows.text(0);
      if (curves.size() == first || curves.back().metric != metric)
        curves.push_back({run, metric, {}});
      curves.back().points.push_back({rows.integer(1), rows.is_null(2) ? kNaN : rows.real(2)});
    }
    rows.reset();
    for (std::size_t i = first; i < curves.size(); ++i)
      curves[i].points = thinned(std::move(curves[i].points), most);
  }
  return curves;
}

}  // namespace runner
