// Renders the panel as lines of text for a terminal of any size. A pure function of its arguments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/base/text/terminal.h"
#include "runner/front/panel/model.h"

namespace runner {

struct PanelView {
  enum class Page { kRuns, kDetail, kLog };
  Page page = Page::kRuns;
  std::optional<std::size_t> selected = {};  // of the model's runs
  std::vector<std::string> log = {};         // the last lines of its stderr.log
  bool read_only = false;                    // `lcsm watch`
  std::string hint = {};                     // why the last key did nothing
  bool asks_to_stop = false;                 // the last key was q
};

// At most `height` lines of at most `terminal.width` columns, without newlines. A full page lists
// the keys in its last line. A line tells the number of lines or runs left out.
std::vector<std::string> panel_lines(const PanelModel& model, const PanelView& view,
                                     const Terminal& terminal, int height);

}  // namespace runner
