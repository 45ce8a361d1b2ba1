#include "results/files/size_on_disk.h"

#include <system_error>

namespace results {

namespace fs = std::filesystem;

std::uintmax_t size_on_disk(const fs::path& path) {
  std::error_code gone;
  const fs::file_status status = fs::symlink_status(path, gone);
  if (fs::is_regular_file(status)) {
    const std::uintmax_t bytes = fs::file_size(path, gone);
    return gone ? 0 : bytes;
  }
  std::uintmax_t bytes = 0;
  if (fs::is_directory(status))
    for (fs::directory_iterator entry(path, gone), end; entry != end; entry.increment(gone))
      bytes += size_on_disk(entry->path());
  return bytes;
}

}  // namespace results
