// Tracks the progress of runs that another process trains, from their folders alone.
#pragma once

#include <vector>

#include "runner/cluster/launch/engines.h"
#include "runner/front/panel/feed.h"
#include "runner/sweeps/language/choice.h"
#include "runner/workspace/control.h"

namespace runner {

// The feed of a sweep that another process runs: the selected sweep (running_or) with its plan.
PanelFeed open_feed(const SweepChoice& asked, const std::filesystem::path& workspace);

class PanelFolders {
 public:
  explicit PanelFolders(PanelFeed& feed);

  // Updates the states in the feed's model when they are due.
  void look(double now);

 private:
  struct Seen {
    std::int64_t events = 0, note = 0;  // bytes of the event file; time of the end note
    bool operator==(const Seen&) const = default;
  };
  bool has_changed(std::size_t run);
  void judge(PanelRun& run) const;
  bool look_at_control(PanelModel& model);

  PanelFeed& feed_;
  int jobs_;  // as `lcsm run` was started
  ControlWatch control_watch_;
  Engines engines_;
  Control control_;
  std::vector<Seen> seen_;  // of each run, at the last read
  double next_ = 0;
};

}  // namespace runner
