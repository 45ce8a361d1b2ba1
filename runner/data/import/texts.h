// Imports texts, whole or cut into splits.
#pragma once

#include <filesystem>

#include "runner/base/files/sha256.h"
#include "runner/data/import/taken.h"

namespace runner {

struct TextFacts {
  std::uint64_t bytes = 0, lines = 0;
  std::uint64_t words = 0;     // with an <eos> for each line
  std::uint64_t unknown = 0;   // words <unk>
  std::uint64_t distinct = 0;  // words, with <eos>
};
TextFacts text_facts(std::string_view text);

// One file that contains all splits, one after the other.
struct CutText {
  std::string_view file, start;        // its name and its first bytes
  std::array<std::uint64_t, 3> bytes;  // of each split
  std::string_view sha256;             // of the whole file
};
Taken read_cut_text(const CutText& text, const std::filesystem::path& from, Sha256& contents);

}  // namespace runner
