// The states of a run, one row each, from all sources: event files, the database, exit codes,
// schedulers and user requests. To add a state, add a row.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace results {

enum class RunState : std::uint8_t {
  // States in event files and in the database.
  kNew,  // no process has trained it
  kRunning,
  kDone,
  kInterrupted,
  kDiverged,
  kOutOfMemory,
  kFailed,
  // Further ends of a process, seen only by the process that started it.
  kInternal,
  kConfiguration,
  kDataMissing,
  kNoRoom,
  kBusy,  // another process trains it
  kSignal,
  kTimeout,
  kNotStarted,
  kLost,  // it wrote no end line, and no process saw it exit
  // States that a scheduler or a user gives a run.
  kWaiting,  // failed and will be retried
  kTooLarge,
  kCancelled,
  kRefused,  // its event file cannot be trusted
};

struct RunStateRow {
  RunState state;
  std::string_view name;    // for people, in JSON and in outcome.json
  std::string_view stored;  // in event files and the database; "": in neither
  RunState counts_as;       // a state of kCountedStates
  bool retried;             // `lcsm run` retries it by itself, a few times
  bool starts;              // the next `lcsm run` starts it, without --retry
  bool device;              // may be the device's fault
  std::string_view sign;    // of its mark in a table (kMarks)
};

inline constexpr std::array kRunStates = [] {
  using enum RunState;
  return std::array{
      RunStateRow{kNew, "new", "missing", kNew, false, true, false, "m"},
      RunStateRow{kRunning, "running", "running", kRunning, false, false, false, "r"},
      RunStateRow{kDone, "done", "done", kDone, false, false, false, ""},
      RunStateRow{kInterrupted, "interrupted", "interrupted", kInterrupted, false, true, false,
                  "i"},
      RunStateRow{kDiverged, "diverged", "diverged", kFailed, false, false, false, "d"},
      RunStateRow{kOutOfMemory, "out of memory", "out-of-memory", kFailed, false, false, false,
                  "o"},
      RunStateRow{kFailed, "failed", "failed", kFailed, false, false, false, "f"},
      RunStateRow{kInternal, "internal", "failed", kFailed, true, false, true, ""},
      RunStateRow{kConfiguration, "bad configuration", "failed", kFailed, false, true, false, ""},
      RunStateRow{kDataMissing, "data missing", "failed", kFailed, false, true, false, ""},
      RunStateRow{kNoRoom, "disk full", "interrupted", kFailed, true, true, false, ""},
      RunStateRow{kBusy, "busy", "", kInterrupted, false, true, false, ""},
      RunStateRow{kSignal, "killed by a signal", "", kFailed, true, true, true, ""},
      RunStateRow{kTimeout, "timeout", "", kInterrupted, false, true, false, ""},
      RunStateRow{kNotStarted, "not started", "", kFailed, true, true, true, ""},
      RunStateRow{kLost, "lost", "", kInterrupted, true, true, true, ""},
      RunStateRow{kWaiting, "waiting", "", kInterrupted, false, true, false, ""},
      RunStateRow{kTooLarge, "too large", "", kFailed, false, true, false, ""},
      RunStateRow{kCancelled, "cancelled", "", kCancelled, false, false, false, ""},
      RunStateRow{kRefused, "refused", "", kFailed, false, false, false, ""},
  };
}();

// The states among which runs are counted, in the order in which counts are shown.
inline constexpr std::array kCountedStates = {
    RunState::kDone,      RunState::kFailed,  RunState::kInterrupted,
    RunState::kCancelled, RunState::kRunning, RunState::kNew,
};

constexpr const RunStateRow& row_of(RunState state) {
  return kRunStates[static_cast<std::size_t>(state)];
}
constexpr std::string_view name_of(RunState state) { return row_of(state).name; }
constexpr std::string_view stored_name(RunState state) { return row_of(state).stored; }
constexpr RunState counted_as(RunState state) { return row_of(state).counts_as; }
constexpr bool has_failed(RunState state) { return counted_as(state) == RunState::kFailed; }
constexpr bool is_over(RunState state) { return state == RunState::kDone || has_failed(state); }

constexpr std::optional<RunState> named_state(std::string_view name) {
  for (const RunStateRow& row : kRunStates)
    if (row.name == name) return row.state;
  return std::nullopt;
}

// The state stored under this name; the first row with it if several share it.
constexpr std::optional<RunState> stored_state(std::string_view stored) {
  for (const RunStateRow& row : kRunStates)
    if (!stored.empty() && row.stored == stored) return row.state;
  return std::nullopt;
}

static_assert([] {
  for (std::size_t i = 0; i < kRunStates.size(); ++i) {
    const RunStateRow& row = kRunStates[i];
    const bool counted = std::find(kCountedStates.begin(), kCountedStates.end(), row.counts_as) !=
                         kCountedStates.end();
    if (row.state != static_cast<RunState>(i) || !counted) return false;
    if (named_state(row.name) != row.state || counted_as(row.counts_as) != row.counts_as)
      return false;
  }
  return true;
}());

}  // namespace results
