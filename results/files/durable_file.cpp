#include "results/files/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const char* what) {
  throw std::system_error(errno, std::generic_category(), file.string() + " " + what);
}

}  // namespace

OpenFile::OpenFile(const fs::path& path, int flags)
    : handle_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

OpenFile::OpenFile(OpenFile&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

OpenFile::~OpenFile() {
  const int reason = errno;  // what failed before is of more interest
  if (handle_ >= 0) close(handle_);
  errno = reason;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(file, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return true;
}

void sync_folder(const fs::path& folder) {
  const OpenFile handle(folder, O_RDONLY | O_DIRECTORY);
  if (!handle.is_open() || fsync(handle.handle()) != 0) fail(folder, "cannot be written through");
}

void write_durably(const fs::path& path, std::string_view bytes) {
  const fs::path temporary = path.parent_path() / ("." + path.filename().string() + "." +
                                                   std::to_string(getpid()) + ".tmp");
  const OpenFile file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) fail(temporary, "cannot be made");
  if (!write_all(file.handle(), bytes) || fsync(file.handle()) != 0 ||
      rename(temporary.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    unlink(temporary.c_str());
    errno = reason;
    fail(path, "cannot be written");
  }
  sync_folder(path.parent_path());
}

}  // namespace results
