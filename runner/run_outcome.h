// How a process that trains a run ended, seen from outside: one list for the scheduler, for what it
// prints and for the tests. The exit statuses are those of `lcsm-train run`.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace runner {

enum class Outcome : std::uint8_t {
  kDone,
  kInterrupted,
  kDiverged,
  kOutOfMemory,
  kConfiguration,
  kDataMissing,
  kNoRoom,
  kBusy,
  kInternal,
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
  std::string_view name;
  int status;  // of the exit; -1: there is none
  Again again;
  bool device;  // may be the device's fault
};

inline constexpr std::array kOutcomes = {
    OutcomeRow{Outcome::kDone, "done", 0, Again::kNever, false},
    OutcomeRow{Outcome::kInternal, "error", 1, Again::kLater, true},
    OutcomeRow{Outcome::kConfiguration, "bad configuration", 2, Again::kNever, false},
    OutcomeRow{Outcome::kDataMissing, "data missing", 3, Again::kNever, false},
    OutcomeRow{Outcome::kNoRoom, "disk full", 4, Again::kLater, false},
    OutcomeRow{Outcome::kInterrupted, "interrupted", 5, Again::kAsked, false},
    OutcomeRow{Outcome::kDiverged, "diverged", 6, Again::kNever, false},
    OutcomeRow{Outcome::kOutOfMemory, "out of memory", 7, Again::kNever, false},
    OutcomeRow{Outcome::kBusy, "trained elsewhere", 8, Again::kAsked, false},
    OutcomeRow{Outcome::kSignal, "killed by a signal", -1, Again::kLater, true},
    OutcomeRow{Outcome::kTimeout, "timeout", -1, Again::kAsked, true},
    OutcomeRow{Outcome::kLost, "lost", -1, Again::kLater, true},
};

constexpr const OutcomeRow& row_of(Outcome outcome) {
  for (const OutcomeRow& row : kOutcomes)
    if (row.outcome == outcome) return row;
  return kOutcomes.back();
}

// Of a status that `lcsm-train run` does not have: an error.
constexpr Outcome outcome_of_exit(int status) {
  for (const OutcomeRow& row : kOutcomes)
    if (row.status == status) return row.outcome;
  return Outcome::kInternal;
}

}  // namespace runner
