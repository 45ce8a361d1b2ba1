// PNG files as other programs write them.
#pragma once

#include <png.h>

#include <array>
#include <stdexcept>
#include <string>

namespace runner {

// `format` is libpng's.
inline std::string png_with(png_uint_32 format, png_uint_32 rows, png_uint_32 columns,
                            const void* pixels) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.format = format;
  image.height = rows;
  image.width = columns;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, 0, nullptr) == 0)
    throw std::runtime_error(image.message);
  bytes.resize(size);
  return bytes;
}

// 2 x 2 gray pixels of 16 bits, without gAMA.
inline std::string png_of_16_bits(const std::array<png_uint_16, 4>& shades) {
  std::string bytes = png_with(PNG_FORMAT_LINEAR_Y, 2, 2, shades.data());
  return bytes.erase(bytes.find("gAMA") - 4, 16);
}

// Three bytes for each pixel.
inline std::string png_in_colour(const std::string& pixels, png_uint_32 rows, png_uint_32 columns) {
  return png_with(PNG_FORMAT_RGB, rows, columns, pixels.data());
}

}  // namespace runner
