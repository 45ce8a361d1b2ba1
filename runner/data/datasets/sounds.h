// A stand-in for short recordings: waveforms of ten kinds, each drawn for any number of samples.
// Neither the values at one place nor their spectrum alone tell all kinds apart: those of a pair
// differ in what comes first, or in how regular it is.
#pragma once

#include <array>
#include <string_view>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

inline constexpr std::array<std::string_view, 10> kSounds = {
    "low tone",      "high tone",      "rising chirp",  "falling chirp", "low then high",
    "high then low", "regular pulses", "random pulses", "white noise",   "coloured noise"};

// Its kind is the label; a mean of 0, a deviation of 1.
NewExample sound_example(RandomStream& random, std::uint32_t samples);

}  // namespace runner
