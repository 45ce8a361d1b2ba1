// The tokens of a text in a memory-mapped file: a header of 64 bytes, 1, 2 or 4 bytes per token,
// the number of tokens, and a checksum, which opening verifies (WikiText-103: 0.09 s).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "runner/base/files/mapped_file.h"
#include "runner/data/tokens/tokenizer.h"

namespace runner {

class TokenFile {
 public:
  // Throws std::runtime_error if the file is not a token file, or was changed. Reads the whole
  // file.
  explicit TokenFile(const std::string& path);

  std::uint64_t size() const { return size_; }
  std::uint32_t vocab() const { return vocab_; }
  std::uint32_t boundary() const { return boundary_; }

  // Tokens [from, from + into.size()); throws std::out_of_range if some do not exist.
  void copy(std::uint64_t from, std::span<std::int32_t> into) const;

 private:
  MappedFile file_;
  std::uint64_t size_ = 0;
  std::uint32_t vocab_ = 0, boundary_ = 0, width_ = 0;
};

// Encodes the text piece by piece and writes the file atomically. Calls `check` before the file
// appears; if it throws, there is none. Throws lcsm::WriteError.
void write_tokens(
    const std::string& path, std::string_view text, Tokenizer& tokenizer,
    const std::function<void()>& check = [] {});

}  // namespace runner
