// A file descriptor that closes itself, and writes that are never short.
#pragma once

#include <filesystem>
#include <string_view>

namespace lcsm {

// A file descriptor, closed by the destructor. Opening a pipe does not wait for its other end.
class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(const std::filesystem::path& path, int flags);  // on failure: handle -1, errno set
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();

  int handle() const { return handle_; }
  bool is_open() const { return handle_ >= 0; }

 private:
  int handle_ = -1;
};

// Writes all bytes, in as many calls as necessary. Returns false and sets errno on failure.
bool write_all(int file, std::string_view bytes);

}  // namespace lcsm
