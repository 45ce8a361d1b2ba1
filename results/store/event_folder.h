// Folds run folders into an open database. fold and rebuild share it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/store/fold.h"
#include "results/store/run_rows.h"

namespace results {

class EventFolder {
 public:
  EventFolder(const std::filesystem::path& workspace, Database& database,
              const FoldOptions& options);

  // Folds all run folders, in several transactions if there are many rows.
  FoldReport fold_all();

 private:
  // An event file as the table `files` recorded it, or as the file system has it now.
  struct FileState;

  static FileState unreadable(const std::string& why);
  std::map<std::string, FileState> known_files();
  std::vector<std::optional<FileState>> look_at(const std::vector<std::string>& ids) const;
  void fold_run(const std::string& id, const FileState* before, FileState now);
  void take_events(const std::string& id, bool from_start, FileState& now);
  bool take_marks(const std::string& id);
  void look_for_writers();
  void remember(const std::string& id, const FileState& state);
  void drop_missing(const std::map<std::string, FileState>& known,
                    const std::vector<std::string>& ids);

  void drop(const std::string& id);

  std::filesystem::path workspace_;
  Database& database_;
  FoldOptions options_;
  RunRows rows_;
  Statement insert_file_;
  FoldReport report_;
  bool marks_changed_ = false;
};

// Migrates the database, then folds all run folders.
FoldReport fold_into(Database& database, const std::filesystem::path& workspace,
                     const FoldOptions& options);

}  // namespace results
