#include "lcsm/files/open_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lcsm {

// What is written is the file itself: a link in a workspace that somebody sent may lead anywhere.
OpenFile::OpenFile(const std::filesystem::path& path, int flags)
    : handle_(
          open(path.c_str(),
               flags | O_CLOEXEC | O_NONBLOCK | ((flags & O_ACCMODE) == O_RDONLY ? 0 : O_NOFOLLOW),
               0666)) {}

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
