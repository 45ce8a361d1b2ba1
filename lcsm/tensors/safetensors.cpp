#include "lcsm/tensors/safetensors.h"

#include <ATen/ops/empty.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "lcsm/base/allowance.h"
#include "lcsm/files/safetensors_header.h"
#include "lcsm/tensors/safetensors_types.h"

namespace lcsm {
namespace {

static_assert(std::endian::native == std::endian::little, "the data of a file is little-endian");

// Reads instead of mapping: if the file shrinks meanwhile, that is an error, not a SIGBUS.
class File {
 public:
  explicit File(const std::string& path) : path_(path) {
    // Without O_NONBLOCK opening a pipe would block.
    handle_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat found {};
    if (handle_ < 0 || fstat(handle_, &found) != 0) fail(errno);
    size_ = static_cast<std::uint64_t>(found.st_size);
    if (S_ISREG(found.st_mode)) return;
    ::close(handle_);
    refuse_safetensors(path, "a file", S_ISDIR(found.st_mode) ? "a folder" : "a device or pipe",
                       "give the path of a safetensors file");
  }
  ~File() { ::close(handle_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const { return size_; }

  void read(void* data, std::uint64_t offset, std::uint64_t bytes) const {
    char* to = static_cast<char*>(data);
    while (bytes > 0) {
      const ssize_t done = pread(handle_, to, bytes, static_cast<off_t>(offset));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) fail(errno);
      if (done == 0)
        refuse_safetensors(path_, std::to_string(size_) + " bytes", std::to_string(offset),
                           "it became shorter while it was read");
      to += done;
      offset += static_cast<std::uint64_t>(done);
      bytes -= static_cast<std::uint64_t>(done);
    }
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw SafeTensorsError("'" + path_ + "' cannot be read: " + std::strerror(error) +
                           "; give the path of a safetensors file");
  }

  const std::string& path_;
  int handle_ = -1;
  std::uint64_t size_ = 0;
};

std::string text_at(const File& file, std::uint64_t offset, std::uint64_t bytes) {
  std::string text(bytes, '\0');
  file.read(text.data(), offset, bytes);
  return text;
}

// A sparse file is larger than its disk space, so its size alone proves nothing.
void check_memory(const std::string& path, std::uint64_t bytes) {
  const std::uint64_t free = read_allowance().memory_free;
  if (free > 0 && bytes > free)
    throw SafeTensorsError("'" + path + "' cannot be read: expected at most " +
                           std::to_string(free) + " bytes of free memory, got " +
                           std::to_string(bytes) + "; use a host with more memory");
}

at::Tensor read_tensor(const std::string& path, const File& file, const SafeTensorsEntry& entry,
                       std::uint64_t start) {
  const at::Tensor tensor = at::empty(entry.shape, at::dtype(kScalarTypes[entry.type]));
  auto* data = static_cast<unsigned char*>(tensor.mutable_data_ptr());
  const std::uint64_t bytes = entry.end - entry.begin;
  file.read(data, start + entry.begin, bytes);
  // Any other byte in a bool is undefined behavior.
  if (kScalarTypes[entry.type] == at::kBool) {
    const auto* wrong = std::find_if(data, data + bytes, [](unsigned char b) { return b > 1; });
    if (wrong != data + bytes)
      refuse_safetensors(path, "bytes 0 and 1 in the BOOL tensor " + shown_word(entry.name),
                         std::to_string(*wrong));
  }
  return tensor;
}

}  // namespace

SafeTensors read_safetensors(const std::string& path) {
  const File file(path);
  const std::string first =
      text_at(file, 0, std::min<std::uint64_t>(kSafeTensorsStart, file.size()));
  const std::uint64_t length = safetensors_header_length(path, first, file.size());
  const std::uint64_t start = kSafeTensorsStart + length;
  SafeTensorsHeader header =
      parse_safetensors_header(path, text_at(file, kSafeTensorsStart, length), file.size() - start);
  check_memory(path, file.size() - start);
  SafeTensors content;
  content.metadata = std::move(header.metadata);
  try {
    for (const SafeTensorsEntry& entry : header.entries)
      content.tensors[entry.name] = read_tensor(path, file, entry, start);
  } catch (const c10::Error&) {
    throw SafeTensorsError("'" + path + "' cannot be read: no memory for " +
                           std::to_string(file.size()) + " bytes; use a host with more memory");
  }
  return content;
}

}  // namespace lcsm
