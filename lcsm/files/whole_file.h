// Writes files that appear whole or not at all, even if the process is killed or the host loses
// power: written under a temporary name beside the target, synced, renamed, and the folder synced.
// Until the rename the target keeps its old content.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "lcsm/files/open_file.h"

namespace lcsm {

// what() is one sentence: which file, why it cannot be written, what to do. code() is the errno.
class WriteError : public std::system_error {
 public:
  WriteError(int error, std::string sentence);
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  std::string sentence_;
};

// True if the disk is full, or the user's quota.
bool is_full(const std::error_code& error);

class WholeFile {
 public:
  // Follows a symbolic link, except below confined folders. Refuses to replace anything but a
  // regular file. Throws WriteError, as all its functions do.
  explicit WholeFile(const std::filesystem::path& path);
  ~WholeFile();  // removes the temporary file unless keep() was called
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(const void* data, std::size_t bytes);
  void keep();

 private:
  void open_temporary();

  const std::filesystem::path path_;  // as the caller wrote it
  std::filesystem::path target_;      // symbolic links resolved
  std::filesystem::path temporary_;   // empty once it is renamed
  OpenFile file_;
};

// A WholeFile in one call.
void write_whole(const std::filesystem::path& path, std::string_view bytes);

// Throws WriteError if `path` or a folder above it is a link below a confined folder (confined.h).
void refuse_links(const std::filesystem::path& path);

// Creates a folder and its parents. Throws WriteError.
void create_folder(const std::filesystem::path& folder);

// Creates a folder; its parent must exist. True if it is new. Throws WriteError.
bool create_one_folder(const std::filesystem::path& folder);

// Makes creations, renames and removals in a folder durable (fsync). Throws WriteError; does
// nothing if the file system cannot sync a folder, or the folder may not be read.
void sync_folder(const std::filesystem::path& folder);

// Makes the contents of a file durable. Throws WriteError.
void sync_file(const std::filesystem::path& path);

// True if a killed process of this project left a file or folder of this name unfinished:
// .NAME.tmp, and .new-STEP, .old-STEP, .gone-STEP of checkpoints.
bool is_leftover(const std::filesystem::path& name);

}  // namespace lcsm
