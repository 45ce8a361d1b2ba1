// Merges the run folders of several hosts into one workspace, in any order, any number of times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "results/store/fold.h"

namespace results {

struct MergeReport {
  std::int64_t taken = 0;            // run folders that were added or replaced
  std::int64_t kept = 0;             // runs that stayed unchanged
  std::vector<std::string> refused;  // run folders that were not copied, and why
  std::vector<std::string> parted;   // runs with two histories, and the one that was kept
  std::vector<std::string> twice;    // runs with two histories that are both done
  FoldReport fold;
};

// Says who may be training the run of a folder, so that no copy replaces it; "" if nobody is.
using InTheWay = std::function<std::string(const std::filesystem::path& folder)>;

// Copies every run of `others` into `workspace`, then folds. Of two folders of one run, the one
// that is done wins, then the one with more lines, then the one that is greater byte for byte, so
// the result does not depend on the order. The marks of sweeps are united.
MergeReport merge(const std::filesystem::path& workspace,
                  const std::vector<std::filesystem::path>& others, const FoldOptions& options = {},
                  const InTheWay& in_the_way = {});

// Copies one run of `other` in the same way, without folding. Throws std::runtime_error unless the
// whole run is then in `workspace`.
void take_run(const std::filesystem::path& workspace, const std::filesystem::path& other,
              const std::string& id);

}  // namespace results
