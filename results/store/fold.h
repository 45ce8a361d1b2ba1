// Folds run folders into rows of results.db.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/store/store.h"

namespace results {

struct FoldOptions {
  // Computes a run's id from its identity; if given, run lines are checked against it.
  std::function<std::string(std::string_view identity)> id_of = {};
  std::chrono::milliseconds patience = kPatience;  // waits this long for locks of other processes
};

struct FoldReport {
  std::int64_t runs = 0;         // folders with an event file
  std::int64_t changed = 0;      // runs whose files were read
  std::int64_t removed = 0;      // dropped from the database: their folders no longer exist
  std::int64_t metric_rows = 0;  // added
  std::vector<std::string>
      refused;  // all refused runs: "runs/ID/events.jsonl:17: expected ..., got ..."
  std::vector<std::string> warnings;  // new warnings: what was left out of files
};

// Updates the database of `workspace` from its run folders: reads new events, drops runs whose
// folders no longer exist. A refused run has no rows; all others are folded. After an interruption
// the next fold continues. If a reader of another program holds results.db, an updated copy
// replaces it.
FoldReport fold(const std::filesystem::path& workspace, const FoldOptions& options = {});

// Builds the database from the run folders alone and replaces the old one, which may be damaged or
// missing. Throws std::runtime_error if that is a database of another program.
FoldReport rebuild(const std::filesystem::path& workspace, const FoldOptions& options = {});

}  // namespace results
