// Pictures as PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runner/data/datasets/picture.h"

namespace runner {

// The bytes of a PNG file of a gray picture with a byte for each pixel, row after row.
std::string png_of(std::string_view pixels, std::uint32_t rows, std::uint32_t columns);

// Decodes a PNG file; the gray of colors is JPEG's luma, and transparent pixels become black.
// Throws std::runtime_error if the file is damaged or has more than `most` pixels.
Picture read_png(std::string_view bytes, std::uint64_t most, Colours colours = Colours::kGrey);

}  // namespace runner
