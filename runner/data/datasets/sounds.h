// A substitute for short recordings: waveforms of ten kinds, drawn for any number of samples. The
// kinds form pairs that differ in order or in regularity, so neither the values at one place nor
// the spectrum alone distinguishes all kinds.
#pragma once

#include <array>
#include <string_view>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

inline constexpr std::array<std::string_view, 10> kSounds = {
    "low tone",      "high tone",      "rising chirp",  "falling chirp", "low then high",
    "high then low", "regular pulses", "random pulses", "white noise",   "coloured noise"};

// The label is the kind. Normalized to mean 0 and standard deviation 1.
NewExample sound_example(RandomStream& random, std::uint32_t samples);

}  // namespace runner
