#include "results/store/current_results.h"

#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "results/events/run_folder.h"
#include "results/store/event_folder.h"

namespace results {
namespace {

namespace fs = std::filesystem;
using Source = CurrentResults::Source;

// A folding lcsm blocks readers only while it commits.
constexpr std::chrono::milliseconds kCommit{100};

// Holds one read lock from now on: a process that locks the file later cannot refuse a read any
// more.
std::unique_ptr<Database> held(const fs::path& workspace, const FoldOptions& options) {
  std::unique_ptr<Database> database = open_for_reading(workspace, options.patience);
  database->run("BEGIN");
  database->integer("SELECT count(*) FROM runs");
  return database;
}

CurrentResults updated(const fs::path& workspace, const FoldOptions& options) {
  FoldReport report = fold(workspace, options);
  return {Source::kFile, held(workspace, options), std::move(report)};
}

// Starts from results.db if it can be read, so that only new events are folded.
CurrentResults in_memory(const fs::path& workspace, const FoldOptions& options, bool from_file) {
  auto database = std::make_unique<Database>(":memory:", Database::Mode::kWrite);
  database->run(kLargePages);
  if (from_file) open_for_reading(workspace, kCommit)->copy_to(*database);
  FoldReport report = fold_into(*database, workspace, options);
  return {Source::kMemory, std::move(database), std::move(report)};
}

}  // namespace

CurrentResults current_results(const fs::path& workspace, const FoldOptions& options) {
  // Makes no database in a folder that is not a workspace.
  std::error_code unreadable;
  if (!fs::exists(workspace / kRunsFolder, unreadable) && !unreadable)
    return in_memory(workspace, options, false);
  std::string trouble;
  bool damaged = false;  // a copy would carry the damage on, where folding does not meet it
  const auto tried = [&](const auto& read) -> std::optional<CurrentResults> {
    try {
      CurrentResults current = read();
      current.trouble = trouble;
      return current;
    } catch (const DatabaseError& error) {
      damaged = damaged || error.damaged();
      if (trouble.empty())
        trouble = error.what() + std::string(error.damaged() ? "; `lcsm rebuild` rebuilds it" : "");
    } catch (const std::exception& error) {
      if (trouble.empty()) trouble = error.what();
    }
    return std::nullopt;
  };
  if (auto current = tried([&] { return updated(workspace, options); })) return std::move(*current);
  const auto copied = [&] { return in_memory(workspace, options, true); };
  if (!damaged)
    if (auto current = tried(copied)) return std::move(*current);
  const auto folded = [&] { return in_memory(workspace, options, false); };
  if (auto current = tried(folded)) return std::move(*current);
  const auto stale = [&] { return CurrentResults{Source::kStale, held(workspace, options)}; };
  if (auto current = tried(stale)) return std::move(*current);
  throw std::runtime_error(trouble);
}

}  // namespace results
