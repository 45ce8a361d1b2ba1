// A PNG file of 2 x 2 gray pixels of 16 bits, without gAMA, as programs other than libpng write it.
#pragma once

#include <png.h>

#include <array>
#include <stdexcept>
#include <string>

namespace runner {

inline std::string png_of_16_bits(const std::array<png_uint_16, 4>& shades) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = image.width = 2;
  image.format = PNG_FORMAT_LINEAR_Y;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, shades.data(), 2, nullptr) == 0)
    throw std::runtime_error(image.message);
  bytes.resize(size);
  return bytes.erase(bytes.find("gAMA") - 4, 16);
}

}  // namespace runner
