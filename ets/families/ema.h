// The options of damped moving averages, for every family that contains them.
#pragma once

#include <array>

#include "ets/families/options.h"

namespace ets {

// `logits`: the tensor that has a column for each average.
constexpr std::array<OptionRow, 3> ema_options(std::string_view logits) {
  return {
      flag("bidirectional", false, "a second kernel over later steps"),
      integer("modes", "16", 1, "averages per channel", logits, 2),
      integer("truncation", "0", 0, "the kernel's largest length; 0: none"),
  };
}

}  // namespace ets
