#include "lcsm/files/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace lcsm {
namespace {

namespace fs = std::filesystem;

const char* advice(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "make its folder first";
    case ENOSPC:
    case EDQUOT:
      return "make room, or write elsewhere";
    case EFBIG:
      return "lift the limit (ulimit -f), or write less";
    default:
      return "write elsewhere";
  }
}

}  // namespace

WholeFile::WholeFile(const std::string& path) : path_(path), place_(path) {
  struct stat found {};
  if (stat(path.c_str(), &found) == 0) {
    if (!S_ISREG(found.st_mode))
      throw WriteError("'" + path + "' cannot be written: expected a file or nothing there, got " +
                       (S_ISDIR(found.st_mode) ? "a folder" : "a device or pipe") +
                       "; give another path");
    std::error_code error;
    place_ = fs::canonical(path, error);
    if (error) fail(error.value());
  }
  open_temporary();
}

// O_EXCL, since a process of this number on another machine may write to the same folder.
void WholeFile::open_temporary() {
  static std::atomic<unsigned> count{0};
  for (int tries = 0; file_ < 0 && tries < 1000; ++tries) {
    temporary_ = place_;
    temporary_.replace_filename(".lcsm-" + std::to_string(getpid()) + "-" +
                                std::to_string(count++) + ".tmp");
    file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0 && errno != EEXIST && errno != EINTR) break;
  }
  if (file_ >= 0) return;
  const int error = errno;
  temporary_.clear();
  fail(error);
}

WholeFile::~WholeFile() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(const void* data, std::size_t bytes) {
  const char* from = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::write(file_, from, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) fail(done < 0 ? errno : ENOSPC);
    from += done;
    bytes -= static_cast<std::size_t>(done);
  }
}

void WholeFile::close() {
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0 && errno != EINTR) fail(errno);
}

void WholeFile::keep() {
  if (fsync(file_) != 0) fail(errno);
  close();
  if (rename(temporary_.c_str(), place_.c_str()) != 0) fail(errno);
  temporary_.clear();
  // The file is whole by now, and some file systems cannot sync a folder: no failure.
  const fs::path folder = place_.has_parent_path() ? place_.parent_path() : fs::path(".");
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  ::close(handle);
}

void WholeFile::fail(int error) const {
  throw WriteError("'" + path_ + "' cannot be written: " + std::strerror(error) + "; " +
                   advice(error));
}

}  // namespace lcsm
