// The panel's page about one run.
#pragma once

#include <string>
#include <vector>

#include "runner/panel/model.h"
#include "runner/text/terminal.h"

namespace runner {

std::vector<std::string> detail_lines(const PanelModel& model, const PanelRun& run,
                                      const Terminal& terminal);

// The last `height` - 1 of `log` under the name of its file.
std::vector<std::string> log_lines(const PanelRun& run, const std::vector<std::string>& log,
                                   const Terminal& terminal, std::size_t height);

}  // namespace runner
