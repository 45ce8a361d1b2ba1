// Grey pictures as PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace runner {

// The bytes of a PNG file of a picture with a byte for each pixel, row after row.
std::string png_of(std::string_view pixels, std::uint32_t rows, std::uint32_t columns);

struct Picture {
  std::uint32_t rows = 0, columns = 0;
  std::string pixels;
};

// Decodes a PNG file; colours become grey as libpng converts them, transparent pixels black. Throws
// std::runtime_error if the file is damaged or has more than `most` pixels.
Picture read_png(std::string_view bytes, std::uint64_t most);

}  // namespace runner
