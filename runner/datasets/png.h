// Grey pictures as PNG files.
#pragma once

#include <string>
#include <string_view>

namespace runner {

// The bytes of a PNG file of a picture with a byte for each pixel, row after row.
std::string png_of(std::string_view pixels, std::uint32_t rows, std::uint32_t columns);

}  // namespace runner
