// Opens the source of an import: a folder, a file, an archive, or a URL.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "runner/data/import/intake_row.h"

namespace runner {

struct SourceTalk {
  std::function<void(const std::string& line)> say;
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t all)> progress;
  std::function<bool()> stop;
};

// The folder with the row's files. The destructor removes unpacked files.
class IntakeSource {
 public:
  // `inside` chooses a folder of the source; "": the row's, in an archive. Archives are downloaded
  // to `data`/.downloads and unpacked in `data`/.unpacked. Throws DataMissing, IntakeError and
  // lcsm::WriteError; Interrupted if `stop` returned true.
  IntakeSource(const IntakeRow& row, const std::string& from, const std::string& inside,
               const std::filesystem::path& data, const SourceTalk& talk);
  ~IntakeSource();
  IntakeSource(const IntakeSource&) = delete;
  IntakeSource& operator=(const IntakeSource&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  void unpack_into(const IntakeRow& row, const std::filesystem::path& archive,
                   const std::string& inside, const std::filesystem::path& data,
                   const SourceTalk& talk);
  void remove_unpacked() const;

  std::filesystem::path folder_, unpacked_;
};

// Stopped before anything was imported. Another call resumes.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Imports the data set into `folder` from the first source that works. Throws the last source's
// exception if none does.
void take_from(const IntakeRow& row, const std::vector<std::string>& sources,
               const std::string& inside, const std::filesystem::path& data,
               const std::filesystem::path& folder, const SourceTalk& talk);

// Compares the archive's SHA-256 with the row's and reports it. A file that has the archive's name
// and another checksum is refused.
void check_sum(const IntakeRow& row, const std::filesystem::path& archive, const SourceTalk& talk);

}  // namespace runner
