// Files that are there whole or not at all, whenever the process or the machine stops.
#pragma once

#include <filesystem>
#include <string_view>

namespace results {

// A file descriptor that is closed at the end.
class OpenFile {
 public:
  OpenFile() = default;
  OpenFile(const std::filesystem::path& path, int flags);  // -1 when it cannot be opened
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;
  ~OpenFile();

  int handle() const { return handle_; }
  bool is_open() const { return handle_ >= 0; }

 private:
  int handle_ = -1;
};

// All bytes, however many writes it takes; false with errno set.
bool write_all(int file, std::string_view bytes);

// Write to a temporary name beside it, fsync, rename, fsync of the folder. Throws
// std::system_error, and leaves what was there.
void write_durably(const std::filesystem::path& path, std::string_view bytes);

// fsync of a folder: renames in it are on the disk.
void sync_folder(const std::filesystem::path& folder);

}  // namespace results
