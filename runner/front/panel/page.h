// Draws the panel's page about one run.
#pragma once

#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/front/panel/model.h"

namespace runner {

// Cut to the width of the terminal.
std::string cut(const Terminal& terminal, const std::string& text);

std::vector<std::string> detail_lines(const PanelModel& model, const PanelRun& run,
                                      const Terminal& terminal);

// The last `height` - 1 lines of `log` below the name of its file.
std::vector<std::string> log_lines(const PanelRun& run, const std::vector<std::string>& log,
                                   const Terminal& terminal, std::size_t height);

}  // namespace runner
