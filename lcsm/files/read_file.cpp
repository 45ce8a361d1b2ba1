#include "lcsm/files/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "lcsm/files/open_file.h"

namespace lcsm {
namespace {

constexpr std::size_t kMostOfADevice = 1 << 20;

[[noreturn]] void fail(const std::filesystem::path& file, const char* what) {
  throw std::system_error(errno, std::generic_category(), file.string() + " " + what);
}

std::string read_regular(int file, std::size_t size, std::int64_t offset,
                         const std::filesystem::path& path) {
  std::string text(size, '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(file, text.data() + done, text.size() - done,
                              static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno != EINTR) fail(path, "cannot be read");
    if (got == 0) break;  // truncated meanwhile
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

// Reads a pipe or a device until its end. For a folder, read() fails.
std::string read_stream(int file, std::size_t most, const std::filesystem::path& path) {
  std::string text;
  std::array<char, 1 << 14> piece;
  while (text.size() < most) {
    const ssize_t got = read(file, piece.data(), std::min(piece.size(), most - text.size()));
    if (got == 0) break;
    if (got > 0) {
      text.append(piece.data(), static_cast<std::size_t>(got));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = file, .events = POLLIN, .revents = 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      fail(path, "cannot be read");
    }
  }
  return text;
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::int64_t offset, std::size_t most) {
  const OpenFile file(path, O_RDONLY);
  if (!file.is_open()) fail(path, "cannot be opened");
  struct stat facts {};
  if (fstat(file.handle(), &facts) != 0) fail(path, "cannot be read");
  // Files of /proc report a size of 0.
  if (!S_ISREG(facts.st_mode) || facts.st_size == 0) {
    if (S_ISREG(facts.st_mode) && offset > 0) return "";
    const bool device = S_ISCHR(facts.st_mode) || S_ISBLK(facts.st_mode);
    std::string text =
        read_stream(file.handle(), device ? std::min(most, kMostOfADevice) : most, path);
    if (device && text.size() == kMostOfADevice) {
      errno = EFBIG;
      fail(path, "is a device without an end");
    }
    return text;
  }
  const std::int64_t rest = std::max<std::int64_t>(0, facts.st_size - offset);
  return read_regular(file.handle(), std::min(most, static_cast<std::size_t>(rest)), offset, path);
}

}  // namespace lcsm
