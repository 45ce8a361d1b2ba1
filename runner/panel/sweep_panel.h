// The panel of `lcsm run`: shows what the scheduler does, and asks it for what keys want.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runner/panel/panel.h"
#include "runner/schedule/conductor.h"

namespace runner {

// The states of the model as the scheduler has them. `run_of`: which run each job is.
void follow(const Scheduler& scheduler, const std::vector<std::size_t>& run_of, double now,
            PanelModel* model);

// Does what was asked. `job_of`: by run; others are not of this sweep run.
void carry_out(const PanelAsk& ask, const std::map<std::size_t, std::size_t>& job_of,
               PanelModel* model, SweepRunControl& control);

class SweepPanel {
 public:
  SweepPanel(PanelFeed& feed, const std::vector<RunToDo>& runs, int descriptor);

  SweepRunWatcher watcher(SweepRunWatcher lines);  // those hooks, and the panel's
  void say(const std::string& text);               // in the panel's last line

 private:
  void turn(const Scheduler& scheduler, SweepRunControl& control);

  PanelFeed& feed_;
  std::vector<std::size_t> run_of_;
  std::map<std::size_t, std::size_t> job_of_;
  Panel panel_;
};

}  // namespace runner
