// A published data set: one row of the table in intake.cpp.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "runner/base/files/sha256.h"
#include "runner/data/datasets/intake_error.h"
#include "runner/data/import/taken.h"

namespace runner {

struct IntakeRow;

// `from` is the folder that holds the row's files. Throws IntakeError.
using ReadFiles = Taken(const IntakeRow& row, const std::filesystem::path& from, Sha256& contents);

struct IntakeRow {
  std::string_view name = {}, help = {};
  std::string_view files = {};  // in one folder, separated by blanks; * is any part of a name
  // ----- For people without it -----
  std::string_view url = {}, sha256 = {};  // of the archive; empty: unknown, or a user's own file
  bool prepared = false;                   // the URL is a program that prepares the files
  std::string_view size = {}, licence = {};
  // Small sets: URLs of equal files, separated by blanks, that are tried without --from.
  std::string_view mirrors = {};
  std::uint64_t most_fetched = std::uint64_t{1} << 37;  // bytes
  // ----- How it is read -----
  ReadFiles* read = nullptr;
  std::uint64_t most_bytes = std::uint64_t{1} << 30;  // of the unpacked files
  std::string_view inside = {};  // the end of the folder's path in an archive with several folders
  std::uint32_t side = 0;        // of a picture
  std::uint32_t classes = 0;     // if the files do not say
  std::uint32_t length = 0;      // samples of a clip
  std::string_view note = {};    // a remark about the splits
  // ----- Of texts, which stay as they are -----
  std::string_view texts = {};   // names of the texts here, by split; alternatives after '|'
  std::string_view folder = {};  // of the texts, if it is not `name`
  std::array<std::uint64_t, 3> words = {};  // with an <eos> for each line; 0 = not known

  std::string_view place() const { return folder.empty() ? name : folder; }
};

}  // namespace runner
