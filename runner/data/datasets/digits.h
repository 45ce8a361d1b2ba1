// Small pictures of the ten digits, drawn with strokes: a substitute for photographs for models
// that read pixel by pixel. Place, size, slant, width and brightness vary; all pictures have noise.
#pragma once

#include <cstdint>

#include "runner/base/random/random.h"
#include "runner/data/datasets/data_file_writer.h"

namespace runner {

inline constexpr std::uint32_t kDigitClasses = 10, kDigitSide = 12;  // pixels

// A byte for each pixel; the digit is the label.
NewExample digit_example(RandomStream& random);

}  // namespace runner
