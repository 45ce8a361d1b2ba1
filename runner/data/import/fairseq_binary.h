// Reads the binary files of fairseq's preprocessing, in the mapped format: NAME.bin has the
// numbers, NAME.idx the position of each sequence, dict.txt the token of each number.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runner/base/files/mapped_file.h"
#include "runner/base/files/sha256.h"

namespace runner {

inline constexpr std::size_t kFairseqSpecials = 4;  // <s> <pad> </s> <unk>

// Tokens by number, the special ones first. Throws IntakeError, as all functions here do.
std::vector<std::string> fairseq_dictionary(const std::filesystem::path& path, Sha256& contents);

class FairseqFile {
 public:
  // `name`: the path without .bin and .idx. Every place in the index is checked.
  FairseqFile(const std::filesystem::path& name, Sha256& contents);

  std::uint64_t size() const { return sequences_; }
  std::vector<std::uint32_t> sequence(std::uint64_t i) const;
  const std::filesystem::path& path() const { return path_; }  // of NAME.bin

 private:
  void check_index(const std::filesystem::path& index) const;
  std::uint64_t steps(std::uint64_t i) const;
  std::uint64_t offset(std::uint64_t i) const;

  std::filesystem::path path_;
  MappedFile index_, numbers_;
  std::uint64_t sequences_ = 0, bytes_ = 0;  // bytes of a number
};

}  // namespace runner
