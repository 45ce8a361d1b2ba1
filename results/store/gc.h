// What lies in run folders and nobody needs any more: checkpoints that neither a resumed run nor a
// table would open, and what a killed process left half done.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/store/database.h"

namespace results {

struct Garbage {
  std::string run;
  std::string path;  // below the run folder
  std::string why;
  std::uintmax_t bytes = 0;
};

struct GarbageReport {
  std::vector<Garbage> found;
  std::vector<std::string> passed_over;  // runs that are not looked into, with the reason
};

// Of a run that is done its last checkpoint and its best stay, of any other the last two and the
// best. Best is the one that the run calls so, and those at the steps at which a validation metric
// is best. A run that is being written, or that was refused, is passed over. Nothing is changed.
GarbageReport find_garbage(Database& database, const std::filesystem::path& workspace);

// Removes what was found, whole or not at all: what is killed half way is garbage for the next
// call. Runs that somebody writes by now are left. Returns the bytes that went.
std::uintmax_t remove_garbage(const std::filesystem::path& workspace,
                              const std::vector<Garbage>& garbage);

}  // namespace results
