// Removes garbage from run folders: checkpoints that no resumed run and no table needs, and
// unfinished files of killed processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/store/database.h"

namespace results {

struct Garbage {
  std::string run;   // "": of the workspace
  std::string path;  // relative to that folder
  std::string why;
  std::uintmax_t bytes = 0;
};

struct GarbageReport {
  std::vector<Garbage> found;
  std::vector<std::string> passed_over;  // runs that were not examined, with the reason
};

// Finds the checkpoints that kept_checkpoints does not keep. Best steps are the ones that the run
// recorded as best, and the ones where a validation metric is best. A run that is being written, or
// that was refused, is skipped. Changes nothing.
GarbageReport find_garbage(Database& database, const std::filesystem::path& workspace);

// Removes the garbage that was found. A checkpoint is never half removed: the rest is garbage for
// the next call. Skips runs that are now being written. Returns the bytes freed.
std::uintmax_t remove_garbage(const std::filesystem::path& workspace,
                              const std::vector<Garbage>& garbage);

}  // namespace results
