#include "results/store/removal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "lcsm/files/open_file.h"
#include "lcsm/files/whole_file.h"
#include "results/events/event_file.h"
#include "results/events/run_folder.h"
#include "results/files/file_lock.h"
#include "results/store/merge.h"

namespace results {
namespace {

namespace fs = std::filesystem;

// Locks the run if it has an event file.
lcsm::OpenFile locked(const fs::path& folder) {
  const fs::path file = event_file(folder);
  lcsm::OpenFile events(file, O_RDWR);
  if (!events.is_open() && errno != ENOENT)
    throw std::system_error(errno, std::generic_category(), file.string());
  if (events.is_open() && !lock_for_writing(events.handle()))
    throw std::runtime_error(folder.string() +
                             ": expected no writer, but a process is training the run");
  return events;
}

// Syncs the whole file system: a copied checkpoint must be on disk before the original is removed.
void sync_file_system(const fs::path& folder) {
  const lcsm::OpenFile place(folder, O_RDONLY | O_DIRECTORY);
  if (!place.is_open() || syncfs(place.handle()) != 0)
    throw std::system_error(errno, std::generic_category(), folder.string() + " cannot be synced");
}

// The caller holds the run's lock.
void remove_run(const fs::path& workspace, const std::string& id) {
  const fs::path folder = run_folder(workspace, id), gone = folder.parent_path() / (".gone-" + id);
  lcsm::refuse_links(folder.parent_path());
  fs::remove_all(gone);
  fs::rename(folder, gone);
  lcsm::sync_folder(folder.parent_path());
  fs::remove_all(gone);
}

}  // namespace

void forget_run(const fs::path& workspace, const std::string& id) {
  const lcsm::OpenFile lock = locked(run_folder(workspace, id));
  remove_run(workspace, id);
}

void archive_run(const fs::path& workspace, const fs::path& archive, const std::string& id) {
  const lcsm::OpenFile lock = locked(run_folder(workspace, id));
  take_run(archive, workspace, id);
  sync_file_system(archive);
  remove_run(workspace, id);
}

}  // namespace results
