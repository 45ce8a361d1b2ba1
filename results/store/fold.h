// Folding: what run folders say becomes rows of results.db.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace results {

struct FoldOptions {
  // The id that an identity text has; when given, a run line must agree with it.
  std::function<std::string(std::string_view identity)> id_of;
};

struct FoldReport {
  std::int64_t runs = 0;             // folders with an event file
  std::int64_t changed = 0;          // of them, those read
  std::int64_t removed = 0;          // in the database, but without a folder
  std::int64_t metric_rows = 0;      // new ones
  std::vector<std::string> refused;  // "runs/ID/events.jsonl:17: expected ..., got ...": of all
  std::vector<std::string> told;     // what was left out of files, new this time
};

// Brings the database of `workspace` up to its run folders: reads what is new, drops what is gone.
// A refused run has no rows; all others are folded. Whatever stops it, the next fold goes on.
FoldReport fold(const std::filesystem::path& workspace, const FoldOptions& options = {});

// Makes the database from the run folders alone and puts it in the place of the old one, which may
// be damaged or missing.
FoldReport rebuild(const std::filesystem::path& workspace, const FoldOptions& options = {});

}  // namespace results
