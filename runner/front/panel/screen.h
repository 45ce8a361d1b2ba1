// Takes over a terminal for a panel: alternate screen, raw keys, updates of changed lines only. The
// terminal is restored however the process ends or stops.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lcsm/files/open_file.h"
#include "runner/base/text/terminal.h"
#include "runner/front/panel/screen_guard.h"

namespace runner {

struct ScreenSize {
  int width = 80, height = 24;
  bool operator==(const ScreenSize&) const = default;
};

// True if this descriptor can show a panel: it is a terminal, TERM is neither empty nor "dumb", and
// this process is in its foreground.
bool can_hold_panel(int descriptor);

class PanelScreen {
 public:
  // Only one may exist in a process. Throws std::system_error if the terminal cannot be opened.
  explicit PanelScreen(int descriptor);
  ~PanelScreen();
  PanelScreen(const PanelScreen&) = delete;
  PanelScreen& operator=(const PanelScreen&) = delete;

  // False while this process is in the background, or the terminal has closed. Takes over the
  // terminal again when the process is back in the foreground.
  bool is_ours();

  int handle() const { return file_.handle(); }  // readable when a key was pressed
  std::string typed();                           // does not wait
  ScreenSize size() const;

  // Does not wait: drops frames if the connection is slower than the panel.
  void show(const std::vector<std::string>& lines);
  void forget();  // the next frame is drawn completely

 private:
  void enter();
  bool flush();

  lcsm::OpenFile file_;  // opened separately, so that its O_NONBLOCK does not affect other programs
  std::optional<ScreenGuard> guard_;
  std::vector<std::string> shown_;
  ScreenSize shown_size_;
  bool whole_ = true;
  std::string pending_;  // bytes that the terminal has not accepted yet
};

}  // namespace runner
