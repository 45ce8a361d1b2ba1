// Small files in each format of others, for a row that reads them.
#pragma once

#include <vector>

#include "tests/runner/data/import/others_files.h"

namespace runner {

inline constexpr std::uint32_t kSampleSide = 4;  // pixels of a picture

struct SampleFormat {
  IntakeRow row;
  Files files;
};
std::vector<SampleFormat> sample_formats();

Files sample_pathfinder(std::size_t pictures);
Files sample_mega_texts();
// The two files of fairseq's binary format.
void put_fairseq(const std::vector<std::vector<std::uint16_t>>& sequences, const std::string& name,
                 Files* files);

}  // namespace runner
