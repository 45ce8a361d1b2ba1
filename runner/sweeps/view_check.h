// Tables, figures and claims that could never be shown: they name what no point of the sweep has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runner/sweeps/points.h"

namespace runner {

// Of the sweep as it stands, and of the views of its own file.
class ViewCheck {
 public:
  explicit ViewCheck(const SweepViews& views);

  void see(const RunConfig& point, const std::vector<Axis>& axes);
  void note_unanswerable(Mistakes& mistakes) const;  // once every point was seen

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
  void note_claim(const results::ParsedClaim& claim, Place place, Mistakes& mistakes) const;

  const SweepViews& views_;
  std::vector<View> own_;
  std::set<std::string> tasks_;
  std::map<std::string, std::set<std::string>> labels_;  // of each key of a list
};

}  // namespace runner
