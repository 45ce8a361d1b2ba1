// How a run's last process ended, recorded by the process that started it: `outcome.json` in the
// run's folder. A killed process cannot record its own end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "results/events/run_state.h"

namespace runner {

struct EndNote {
  results::RunState state = results::RunState::kLost;
  std::string why;           // "exit status 4", "signal 11 (Segmentation fault)"
  int tries = 0;             // of the `lcsm run` that wrote it
  double starts_again = -1;  // seconds; < 0: that `lcsm run` does not retry it
  std::string by = {};       // "ada@abacus, process 123"
  std::string time = {};
};

void write_end_note(const std::filesystem::path& folder, const EndNote& note);

// nullopt: no process saw the end, or the run has started since.
std::optional<EndNote> read_end_note(const std::filesystem::path& folder);

// The time of the note, in nanoseconds since 1970; 0: there is none.
std::int64_t end_note_time(const std::filesystem::path& folder);

}  // namespace runner
