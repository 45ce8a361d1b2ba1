// Handles a key: changes the view, or sends a request to `lcsm run`.
#pragma once

#include <optional>

#include "runner/front/panel/keys.h"
#include "runner/front/panel/view.h"

namespace runner {

struct PanelAsk {
  enum class What { kJobs, kPause, kCancel, kRetry, kStop, kDetach, kLeave };
  What what = What::kLeave;
  std::size_t run = 0;  // of kCancel and kRetry
  int jobs = 0;         // of kJobs: the new number
};

// `rows`: the number of rows of a page up or down.
std::optional<PanelAsk> press(const KeyPress& key, const PanelModel& model, int rows,
                              PanelView* view);

}  // namespace runner
