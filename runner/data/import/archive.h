// Unpacks archives: tar and zip in any usual compression, or one compressed file. Writes only the
// requested regular files, to paths chosen here, in a new folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

namespace runner {

struct Unpacking {
  std::filesystem::path archive;
  std::string_view files;    // paths below one folder of the archive, separated by blanks; * is any
                             // part of a name
  std::string_view inside;   // the end of the folder's path, if several folders may have such files
  std::uint64_t most_bytes;  // limit on the bytes written
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};  // bytes of the archive
};

// True if the path ends like an archive's, not like a data file's.
bool is_archive(const std::filesystem::path& path);

// Unpacks into the empty folder `into`. Returns the folder below it that has the files, which is
// named as in the archive. Throws IntakeError and lcsm::WriteError.
std::filesystem::path unpack(const Unpacking& unpacking, const std::filesystem::path& into);

// The number of trailing parts of the path that equal one of `files`; 0 = none.
std::size_t matching_parts(std::string_view files, std::string_view path);

}  // namespace runner
