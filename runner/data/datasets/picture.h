// Decodes PNG and JPEG files of other programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace runner {

enum class Colours : std::uint32_t { kGrey = 1, kRgb = 3 };  // the bytes of a pixel

struct Picture {
  std::uint32_t rows = 0, columns = 0;
  std::string pixels;  // row after row
};

// The gray of a color as JPEG files store it and PIL computes it (ITU-R BT.601).
constexpr char luma_of(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return static_cast<char>((red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16);
}

// Decodes a file of either format, which its first bytes tell. Throws std::runtime_error if it is
// damaged or has more than `most` pixels.
Picture read_picture(std::string_view bytes, std::uint64_t most, Colours colours);

}  // namespace runner
