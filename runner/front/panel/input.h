// What a key does: it changes what is shown, or requests something of the `lcsm run`.
#pragma once

#include <optional>

#include "runner/front/panel/keys.h"
#include "runner/front/panel/view.h"

namespace runner {

struct PanelAsk {
  enum class What { kJobs, kPause, kCancel, kRetry, kStop, kLeave };
  What what = What::kLeave;
  std::size_t run = 0;  // of kCancel and kRetry
  int jobs = 0;         // of kJobs: the new number
};

// `rows`: how far a page up or down goes.
std::optional<PanelAsk> press(const KeyPress& key, const PanelModel& model, int rows,
                              PanelView* view);

}  // namespace runner
