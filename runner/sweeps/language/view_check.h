// Finds tables, figures, claims and [names] with a metric or a value that no point of the sweep
// has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/tables/table.h"
#include "runner/sweeps/language/points.h"

namespace runner {

// Checks the sweep without scale or --set, and only the views of its own file.
class ViewCheck {
 public:
  explicit ViewCheck(const SweepFile& sweep);

  void see(const RunConfig& point, const std::vector<Axis>& axes);
  void note_unanswerable(Mistakes& mistakes) const;  // after the last see()

 private:
  struct Checked {
    Place place;
    std::vector<std::string> metrics;
    std::vector<results::Condition> where;
    std::vector<std::string> rows;  // the baseline must be a value of one of these
    std::string baseline, relative = {};
    bool any = false, has_baseline = false, has_relative = false;  // whether a point matches
  };
  void add(Checked view);
  void add_names(const SweepFile& sweep);
  void note_names(Mistakes& mistakes) const;
  void note_view(const Checked& view, Mistakes& mistakes) const;
  void note_claim(const results::ParsedClaim& claim, Place place, Mistakes& mistakes) const;

  const SweepViews& views_;
  std::vector<Checked> own_;
  std::map<std::string, Place> unseen_;  // of [names]: values that no point has so far
  std::set<std::string> tasks_;
  std::map<std::string, std::set<std::string>> labels_;  // values by key, of keys that vary
};

}  // namespace runner
