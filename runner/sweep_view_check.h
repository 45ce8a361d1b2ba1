// Tables, figures and claims that could never be shown: they name what no point of the sweep has.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runner/sweep_points.h"

namespace runner {

// Of the sweep as it stands, and of the views of its own file.
class ViewCheck {
 public:
  explicit ViewCheck(const SweepViews& views);

  void see(const RunConfig& point);
  void note_unanswerable(const MergedSweep& sweep, Mistakes& mistakes) const;

 private:
  struct View {
    Place place;
    std::vector<std::string> metrics;
    std::vector<std::pair<std::string, std::string>> where;
    std::vector<std::string> rows;  // of them one has to be the baseline
    std::string baseline;
    bool any = false, baseline_there = false;  // points
  };
  void add(View view);
  void note_view(const View& view, Mistakes& mistakes) const;

  const SweepViews& views_;
  std::vector<View> own_;
  std::set<std::string> tasks_;
};

}  // namespace runner
