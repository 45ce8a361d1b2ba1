// A file that appears whole or not at all: written beside its place under another name, brought to
// the disk, renamed. Whatever fails before that leaves an older file as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace lcsm {

// One sentence: which file, why it cannot be written, what to do.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class WholeFile {
 public:
  // A symbolic link is followed; anything but a file or nothing in that place is refused.
  explicit WholeFile(const std::string& path);
  ~WholeFile();  // removes what was not kept
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void keep();

 private:
  void open_temporary();
  void close();
  [[noreturn]] void fail(int error) const;

  std::string path_;             // as the caller wrote it
  std::filesystem::path place_;  // where it will be
  std::filesystem::path temporary_;
  int file_ = -1;
};

}  // namespace lcsm
