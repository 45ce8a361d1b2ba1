// A terminal taken over for a panel: the other screen, keys as they are pressed, lines changed
// where they differ. Whatever ends or stops the process, the terminal is given back as it was.
#pragma once

#include <string>
#include <vector>

#include "lcsm/files/open_file.h"
#include "runner/text/terminal.h"

namespace runner {

struct ScreenSize {
  int width = 80, height = 24;
  bool operator==(const ScreenSize&) const = default;
};

// Whether a panel can be on the terminal of this descriptor: it is one, it knows more than lines
// (TERM is neither empty nor "dumb"), and it is ours, not that of a program before us.
bool can_hold_panel(int descriptor);

class PanelScreen {
 public:
  // One at a time in a process. Throws std::system_error when the terminal cannot be had.
  explicit PanelScreen(int descriptor);
  ~PanelScreen();
  PanelScreen(const PanelScreen&) = delete;
  PanelScreen& operator=(const PanelScreen&) = delete;

  // False while another program has the terminal: we were sent to the background, or it is gone.
  // Ours again, it is taken over anew.
  bool is_ours();

  int handle() const { return file_.handle(); }  // readable when a key was pressed
  std::string typed();                           // waits for nothing
  ScreenSize size() const;

  // Nothing is waited for: on a line that is slower than the panel, pictures are left out.
  void show(const std::vector<std::string>& lines);
  void forget();  // the next picture is drawn as a whole

 private:
  void enter();
  bool flush();

  lcsm::OpenFile file_;  // an opening of its own, so that its mode is nobody else's
  std::vector<std::string> shown_;
  ScreenSize shown_size_;
  bool whole_ = true;
  std::string pending_;  // bytes that the terminal has not taken yet
};

}  // namespace runner
