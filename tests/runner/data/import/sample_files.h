// Small files in every published format, for the row that reads them.
#pragma once

#include <vector>

#include "tests/runner/data/import/others_files.h"

namespace runner {

inline constexpr std::uint32_t kSampleSide = 4;    // pixels of a picture
inline constexpr std::uint32_t kSampleLength = 8;  // samples of a clip

struct SampleFormat {
  IntakeRow row;
  Files files;
};
std::vector<SampleFormat> sample_formats();

// A WAV file of these samples.
std::string wav_of(const std::vector<std::int16_t>& samples);
// Three clips of kSampleLength samples for each of the ten words.
Files sample_speech();
Files sample_pathfinder(std::size_t pictures);
Files sample_mega_texts();
// The two files of fairseq's binary format.
void put_fairseq(const std::vector<std::vector<std::uint16_t>>& sequences, const std::string& name,
                 Files* files);

}  // namespace runner
