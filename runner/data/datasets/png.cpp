#include "runner/data/datasets/png.h"

#include <png.h>

#include <memory>
#include <stdexcept>

namespace runner {

std::string png_of(std::string_view pixels, std::uint32_t rows, std::uint32_t columns) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.height = rows;
  image.width = columns;
  image.format = PNG_FORMAT_GRAY;
  if (pixels.size() != std::size_t{rows} * columns)
    throw std::logic_error("[png_of] expected a byte per pixel");
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image), '\0');
  png_alloc_size_t size = bytes.size();
  if (png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels.data(),
                                static_cast<png_int_32>(columns), nullptr) == 0)
    throw std::runtime_error(std::string("a picture cannot be written as PNG: ") + image.message);
  bytes.resize(size);
  return bytes;
}

Picture read_png(std::string_view bytes, std::uint64_t most) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> end(&image, png_image_free);
  const auto check = [&image](int good) {
    if (good == 0) throw std::runtime_error(std::string("not a PNG picture: ") + image.message);
  };
  check(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  if (std::uint64_t{image.width} * image.height > most)
    throw std::runtime_error(std::to_string(image.height) + " x " + std::to_string(image.width) +
                             " pixels");
  image.format = PNG_FORMAT_GRAY;
  Picture picture{image.height, image.width, {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  const png_color black{};
  check(png_image_finish_read(&image, &black, picture.pixels.data(), 0, nullptr));
  return picture;
}

}  // namespace runner
