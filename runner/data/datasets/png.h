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

// The picture of a PNG file, made grey as libpng converts colours; what is transparent is black.
// Throws std::runtime_error: what is wrong, or more pixels than `most`.
Picture read_png(std::string_view bytes, std::uint64_t most);

}  // namespace runner
