// How a process that trains a run ended, seen from outside: its exit status (run_end.h), or what
// kept it from having one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "runner/process/run_end.h"

namespace runner {

enum class Outcome : std::uint8_t {
  kDone,
  kInternal,
  kConfiguration,
  kDataMissing,
  kNoRoom,
  kInterrupted,
  kDiverged,
  kOutOfMemory,
  kBusy,
  kSignal,
  kTimeout,
  kLost,  // not started, or nobody can tell
};

// Whether it may end otherwise when it is started again.
enum class Again : std::uint8_t {
  kNever,  // it would end in the same way
  kLater,  // after a while, a few times
  kAsked,  // when `lcsm run` is asked again
};

struct OutcomeRow {
  Outcome outcome;
  Again again;
  bool device;            // may be the device's fault
  std::string_view name;  // of those without an exit status; the others are in kRunEnds
};

inline constexpr std::array kOutcomes = {
    OutcomeRow{Outcome::kDone, Again::kNever, false, ""},
    OutcomeRow{Outcome::kInternal, Again::kLater, true, ""},
    OutcomeRow{Outcome::kConfiguration, Again::kNever, false, ""},
    OutcomeRow{Outcome::kDataMissing, Again::kNever, false, ""},
    OutcomeRow{Outcome::kNoRoom, Again::kLater, false, ""},
    OutcomeRow{Outcome::kInterrupted, Again::kAsked, false, ""},
    OutcomeRow{Outcome::kDiverged, Again::kNever, false, ""},
    OutcomeRow{Outcome::kOutOfMemory, Again::kNever, false, ""},
    OutcomeRow{Outcome::kBusy, Again::kAsked, false, ""},
    OutcomeRow{Outcome::kSignal, Again::kLater, true, "killed by a signal"},
    OutcomeRow{Outcome::kTimeout, Again::kAsked, false, "timeout"},
    OutcomeRow{Outcome::kLost, Again::kLater, true, "lost"},
};

// Both lists begin with the exit statuses, in their order.
constexpr const OutcomeRow& row_of(Outcome outcome) {
  return kOutcomes[static_cast<std::size_t>(outcome)];
}
constexpr bool has_status(Outcome outcome) {
  return static_cast<std::size_t>(outcome) < kRunEnds.size();
}
static_assert([] {
  for (std::size_t i = 0; i < kOutcomes.size(); ++i) {
    if (kOutcomes[i].outcome != static_cast<Outcome>(i)) return false;
    if (has_status(static_cast<Outcome>(i)) && kRunEnds[i].end != static_cast<RunEnd>(i))
      return false;
  }
  return kRunEnds.size() == static_cast<std::size_t>(Outcome::kSignal);
}());

constexpr std::string_view name_of(Outcome outcome) {
  return has_status(outcome) ? kRunEnds[static_cast<std::size_t>(outcome)].name
                             : row_of(outcome).name;
}

// Of a status that `lcsm-train run` does not have: an error.
constexpr Outcome outcome_of_exit(int status) {
  const bool known = status >= 0 && has_status(static_cast<Outcome>(status));
  return known ? static_cast<Outcome>(status) : Outcome::kInternal;
}

}  // namespace runner
