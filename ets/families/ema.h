// The options of damped moving averages, for every family that contains them.
#pragma once

#include <array>

#include "lcsm/block/options.h"

namespace ets {

// `logits`: the tensor that has a column for each average.
constexpr std::array<lcsm::OptionRow, 3> ema_options(std::string_view logits) {
  return {
      lcsm::flag("bidirectional", false, "a second kernel over later steps"),
      lcsm::integer("modes", "16", 1, "averages per channel", logits, 2),
      lcsm::integer("truncation", "0", 0, "the kernel's largest length; 0: none"),
  };
}

}  // namespace ets
