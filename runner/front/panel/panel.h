// The panel's loop on a terminal: reads keys and redraws a few times a second.
#pragma once

#include <vector>

#include "runner/front/panel/feed.h"
#include "runner/front/panel/input.h"
#include "runner/front/panel/screen.h"

namespace runner {

class Panel {
 public:
  // Draws on the terminal of `descriptor` (can_hold_panel).
  Panel(PanelFeed& feed, int descriptor, bool read_only);

  // Returns the requests of keys since the last turn, and draws changes. `now`: as for PanelFeed.
  std::vector<PanelAsk> turn(double now);
  void draw(double now);
  int handle();  // readable when a key was pressed; -1: in the background

 private:
  std::vector<PanelAsk> read_keys(int rows);
  void read_log(int rows);

  PanelFeed& feed_;
  PanelScreen screen_;
  KeyReader keys_;
  PanelView view_;
  ScreenSize drawn_size_;
  double drawn_ = 0;
};

}  // namespace runner
