#include "runner/base/files/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "lcsm/files/confined.h"

namespace runner {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::system_error(error, std::generic_category(), "'" + path + "' cannot be read");
}

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const int file = lcsm::open_confined(path, O_RDONLY);
  if (file < 0) fail(path, errno);
  struct stat found {};
  const bool regular = fstat(file, &found) == 0 && S_ISREG(found.st_mode);
  size_ = regular ? static_cast<std::size_t>(found.st_size) : 0;
  void* const data = size_ > 0 ? mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  const int error = errno;
  close(file);
  if (!regular) throw std::runtime_error("'" + path + "' cannot be read: not a regular file");
  if (data == MAP_FAILED) fail(path, error);
  if (data != nullptr) data_ = static_cast<const char*>(data);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, "")), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (size_ > 0) munmap(const_cast<char*>(data_), size_);
}

}  // namespace runner
