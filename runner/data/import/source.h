// Where files of others come from: a folder, a file, an archive, or an address of one.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runner/data/import/intake_row.h"

namespace runner {

struct SourceTalk {
  std::function<void(const std::string& line)> say;
  std::function<void(std::string_view what, std::uint64_t done, std::uint64_t all)> progress;
  std::function<bool()> stop;
};

// The folder with the row's files; what was unpacked is removed at the end.
class IntakeSource {
 public:
  // `inside` chooses a folder of it; "" = of an archive the row's. Archives are fetched into
  // `data`/.downloads and unpacked in `data`/.unpacked. Throws DataMissing, IntakeError and
  // lcsm::WriteError; Interrupted if `stop` said so.
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

// Stopped before anything was taken; the same call continues.
struct Interrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Holds the SHA-256 of an archive against the one that is known of the row's, and says it. A file
// of that archive's name with another sum is refused.
void check_sum(const IntakeRow& row, const std::filesystem::path& archive, const SourceTalk& talk);

}  // namespace runner
