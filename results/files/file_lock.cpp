#include "results/files/file_lock.h"

#include <fcntl.h>

#include <cerrno>
#include <system_error>

#include "lcsm/files/open_file.h"

namespace results {
namespace {

struct flock whole_file() {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  return range;
}

}  // namespace

bool lock_for_writing(int file) {
  struct flock range = whole_file();
  if (fcntl(file, F_OFD_SETLK, &range) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  throw std::system_error(errno, std::generic_category(), "a file cannot be locked");
}

bool is_being_written(const std::filesystem::path& path) {
  const lcsm::OpenFile file(path, O_RDONLY);
  struct flock range = whole_file();
  return fcntl(file.handle(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

}  // namespace results
