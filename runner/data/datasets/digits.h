// Pictures of the ten digits, drawn with strokes: small ones that stand in for photographs where a
// model reads pixel after pixel. Place, size, slant, width and brightness vary, and all have noise.
#pragma once

#include <cstdint>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

inline constexpr std::uint32_t kDigitClasses = 10, kDigitSide = 12;  // pixels

// A byte for each pixel; the digit is the label.
NewExample digit_example(RandomStream& random);

}  // namespace runner
