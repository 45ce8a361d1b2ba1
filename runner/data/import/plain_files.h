// Opens files of unknown origin without following links and within limits. An error is one
// sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lcsm/base/words.h"
#include "runner/base/files/mapped_file.h"
#include "runner/base/files/sha256.h"
#include "runner/data/datasets/intake_error.h"

namespace runner {

inline constexpr std::uintmax_t kMostTableBytes = std::uintmax_t{1} << 36;  // mapped, not loaded

// Throws "'PATH' WHERE: expected ..., got ..."; control characters of `got` are escaped. `where` is
// "line 3", "at byte 70", or "" for the whole file.
[[noreturn]] void refuse_file(const std::filesystem::path& path, const std::string& where,
                              const std::string& expected, const std::string& got);

// The start of a text in quotes, for `got`.
std::string quoted_start(std::string_view text);

std::string at_line(std::size_t number);
std::string at_byte(std::uint64_t offset);

// Opens a regular file without following links: a link could lead out of the folder, and a device
// never ends. Adds the file's bytes to `contents`.
MappedFile open_plain(const std::filesystem::path& path, Sha256& contents,
                      std::uintmax_t most = kMostTableBytes);

// The files in a folder (not a link) whose names end in `end`, sorted by name.
std::vector<std::filesystem::path> plain_files_in(const std::filesystem::path& folder,
                                                  std::string_view end, std::string_view what);

// The fields of a line between the separators.
std::vector<std::string_view> fields_of(std::string_view line, char separator);

// Parses a whole number; -1 if the text is not a number, negative or too large.
std::int64_t whole_number(std::string_view text);

// Calls `take(line, number)` for each line of a file; numbers start at 1. Line ends and a byte
// order mark are removed.
template <class Take>
void for_each_numbered_line(std::string_view bytes, const Take& take) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  for (std::size_t number = 1; !bytes.empty(); ++number) {
    std::string_view line = lcsm::take_until(&bytes, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line, number);
  }
}

}  // namespace runner
