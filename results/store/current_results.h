// Opens the results for reading, up to date with the run folders, for any state of results.db.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "results/store/database.h"
#include "results/store/fold.h"

namespace results {

struct CurrentResults {
  enum class Source {
    kFile,    // results.db, updated
    kMemory,  // results.db cannot be written, or there is no run: an updated copy in memory
    kStale,   // run folders cannot be read: results.db as it is
  };
  Source source = Source::kFile;
  std::unique_ptr<Database> database = {};
  FoldReport report = {};
  std::string trouble = {};  // why results.db was not updated
};

// The database does not change while it is open. Throws std::runtime_error if nothing can be read.
CurrentResults current_results(const std::filesystem::path& workspace, const FoldOptions& options);

}  // namespace results
