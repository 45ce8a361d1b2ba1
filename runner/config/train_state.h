// What of a training is no tensor: enough to go on as if it had never stopped. A function of the
// configuration and the step; nothing of when and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace runner {

struct TrainState {
  struct Best {
    std::int64_t step = 0;
    double value = 0;  // of eval.best
    bool operator==(const Best&) const = default;
  };
  // Of the steps that no line of metrics has told yet.
  struct Untold {
    std::int64_t steps = 0;
    double loss = 0;
    bool operator==(const Untold&) const = default;
  };

  std::int64_t step = 0;     // steps done
  std::optional<Best> best;  // on the validation split
  Untold untold;
  std::string stopped;  // why nothing is left to train; empty: there is
  bool operator==(const TrainState&) const = default;
};

// One JSON object, equal for equal states: numbers read back to the same bits.
std::string json_text(const TrainState& state);
TrainState train_state(std::string_view json);  // std::invalid_argument: expected, got

}  // namespace runner
