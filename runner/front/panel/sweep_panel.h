// The panel of `lcsm run`: shows the scheduler's state and passes requests on.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/front/panel/panel.h"
#include "runner/sweeps/schedule/conductor.h"

namespace runner {

// Copies the scheduler's states to the model. `run_of`: the run of each job.
void follow(const Scheduler& scheduler, const std::vector<std::size_t>& run_of, double now,
            PanelModel* model);

// Carries out a request. `job_of`: by run; runs without one are not scheduled.
void carry_out(const PanelAsk& ask, const std::map<std::size_t, std::size_t>& job_of,
               PanelModel* model, SweepRunControl& control);

class SweepPanel {
 public:
  // Puts this process into the background, and calls `close_screen` just before. Throws Failure.
  using Detach = std::function<void(const std::function<void()>& close_screen)>;

  SweepPanel(PanelFeed& feed, const std::vector<RunToDo>& runs, int descriptor, Detach detach);

  SweepRunWatcher watcher(SweepRunWatcher lines);  // calls `lines` and updates the panel
  // Shows the text in the panel's last line; in the background prints it on stderr.
  void say(const std::string& text);

 private:
  void turn(const Scheduler& scheduler, SweepRunControl& control);
  void detach();

  PanelFeed& feed_;
  std::vector<std::size_t> run_of_;
  std::map<std::size_t, std::size_t> job_of_;
  const Detach detach_;
  std::optional<Panel> panel_;  // none: in the background
};

}  // namespace runner
