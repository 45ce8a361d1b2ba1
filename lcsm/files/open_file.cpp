#include "lcsm/files/open_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "lcsm/files/confined.h"

namespace lcsm {

OpenFile::OpenFile(const std::filesystem::path& path, int flags)
    : handle_(open_confined(path, flags)) {}

OpenFile::OpenFile(OpenFile&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

OpenFile::~OpenFile() {
  const int reason = errno;  // of an earlier failure that is still to be reported
  if (handle_ >= 0) close(handle_);
  errno = reason;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = ENOSPC;
    if (done <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace lcsm
