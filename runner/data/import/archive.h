// Archives: tar and zip, compressed in any of the usual ways, or one compressed file. Only regular
// files that are asked for are written, under paths that are made here, into a folder of their own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace runner {

struct Unpacking {
  std::filesystem::path archive;
  std::string_view files;    // paths below one folder of the archive, separated by blanks; * is any
                             // part of a name
  std::string_view inside;   // the end of that folder's path, where several may have such files
  std::uint64_t most_bytes;  // of what is written
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};  // bytes of the archive
};

// Whether a path that ends like this is taken for an archive, not for a file of a format.
bool is_archive(const std::filesystem::path& path);

// Returns the folder below `into`, a folder without contents, that has the files. It is named as
// in the archive. Throws IntakeError, and lcsm::WriteError.
std::filesystem::path unpack(const Unpacking& unpacking, const std::filesystem::path& into);

// Whether the last parts of the path are one of `files`, and how many parts: 0 = none of them.
std::size_t matching_parts(std::string_view files, std::string_view path);

}  // namespace runner
