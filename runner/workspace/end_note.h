// How a run's last process ended as the one who started it saw it: `outcome.json` in the run's
// folder. A process that was killed cannot say so itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "runner/process/child_process.h"

namespace runner {

struct EndNote {
  std::string outcome;       // its name in run_outcome.h: "disk full", "timeout"
  std::string why;           // "exit status 4", "signal 11 (Segmentation fault)"
  int tries = 0;             // of the `lcsm run` that tells it
  double starts_again = -1;  // seconds; < 0: it does not by itself
  std::string by;            // "ada@abacus, process 123"
  std::string time;
};

void write_end_note(const std::filesystem::path& folder, const EndNote& note);

// None: nobody saw its end, or it has started since.
std::optional<EndNote> read_end_note(const std::filesystem::path& folder);

}  // namespace runner
