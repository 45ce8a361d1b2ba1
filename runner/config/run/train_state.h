// The part of a training state that is not a tensor: with the tensors, enough to resume exactly.
// It depends only on the configuration and the step, not on time or host.
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
  // Steps since the last line of training metrics, and their summed loss.
  struct Untold {
    std::int64_t steps = 0;
    double loss = 0;
    bool operator==(const Untold&) const = default;
  };

  std::int64_t step = 0;     // steps done
  std::optional<Best> best;  // on the validation split
  Untold untold;
  std::string stopped;  // why training is over; empty if it is not
  bool operator==(const TrainState&) const = default;
};

// Serializes the state as one JSON object: equal states give equal text, and numbers read back bit
// for bit.
std::string json_text(const TrainState& state);
TrainState train_state(std::string_view json);  // std::invalid_argument: expected, got

}  // namespace runner
