// Joining workspaces: the run folders of several machines in one, in any order, any number of
// times.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/store/fold.h"

namespace results {

struct MergeReport {
  std::int64_t taken = 0;            // run folders that came or were replaced
  std::int64_t kept = 0;             // that were there already
  std::vector<std::string> refused;  // run folders that did not come, and why
  std::vector<std::string> parted;   // runs with two histories, and which was kept
  FoldReport fold;
};

// Brings every run of `others` into `workspace`, then folds. Of two folders of one run the one that
// is done wins, then the one with more lines, then the one that is greater byte for byte; so the
// result does not depend on the order. Sweeps' marks are united.
MergeReport merge(const std::filesystem::path& workspace,
                  const std::vector<std::filesystem::path>& others,
                  const FoldOptions& options = {});

}  // namespace results
