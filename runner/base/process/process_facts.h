// Facts about processes, including this one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace runner {

struct ProcessFacts {
  char state = '?';          // 'R', 'S', 'D', 'T' (stopped), 'Z' ...
  std::int64_t used = 0;     // processor time, in clock ticks
  std::int64_t started = 0;  // in clock ticks since boot; with the process id and `boot_id` it
                             // identifies a process forever
};
std::optional<ProcessFacts> facts_of_process(pid_t process);  // nullopt: no such process

std::string boot_id();       // "" if unknown
std::string host_name();     // "abacus"; "" if unknown
std::string user_at_host();  // "ada@abacus"
std::string utc_now();       // "2026-01-31T12:00:00Z"

std::string environment_variable(const char* name);  // "" if it is not set

std::filesystem::path program_folder();  // of the running program

}  // namespace runner
