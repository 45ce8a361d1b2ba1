// Counts runs by state, in one place for the panel, `watch`, `status`, `plan` and `lcsm run`.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "results/events/run_state.h"

namespace runner {

class RunCounts {
 public:
  RunCounts() = default;
  // Counts a range whose items have a `state`.
  template <class Runs>
  explicit RunCounts(const Runs& runs) {
    for (const auto& run : runs) add(run.state);
  }

  void add(results::RunState state) { ++counts_[index(counted_as(state))]; }
  std::size_t of(results::RunState state) const { return counts_[index(counted_as(state))]; }
  std::size_t all() const;
  std::size_t left() const;  // neither done nor failed nor cancelled

  // "4 done, 2 running, 3 new": states that occur, in the order of kCountedStates.
  std::string text() const;
  // "4 done, 0 failed, 5 left of 9", with the cancelled ones if there are any.
  std::string summary() const;

 private:
  static constexpr std::size_t index(results::RunState state) {
    return static_cast<std::size_t>(state);
  }
  std::array<std::size_t, results::kRunStates.size()> counts_{};
};

}  // namespace runner
