// Pictures as JPEG files.
#pragma once

#include "runner/data/datasets/picture.h"

namespace runner {

// Decodes a JPEG file, converted between colors and gray by libjpeg. Throws std::runtime_error if
// the file is damaged in any way that libjpeg notices, or has more than `most` pixels.
Picture read_jpeg(std::string_view bytes, std::uint64_t most, Colours colours);

}  // namespace runner
