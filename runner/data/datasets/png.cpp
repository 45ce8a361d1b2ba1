#include "runner/data/datasets/png.h"

#include <png.h>

#include <algorithm>
#include <array>
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

namespace {

// The chunks that decide the pixels. libpng takes the length that any other claims as memory.
constexpr std::array<std::string_view, 12> kChunks = {
    "IHDR", "PLTE", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "sBIT", "bKGD", "IDAT", "IEND"};
constexpr std::size_t kSignature = 8, kChunkFrame = 12;  // a chunk's length, name and checksum

std::string deciding_chunks(std::string_view bytes) {
  std::string kept(bytes.substr(0, kSignature));
  bytes.remove_prefix(kept.size());
  while (bytes.size() >= kChunkFrame) {
    std::size_t length = 0;
    for (const char byte : bytes.substr(0, 4))
      length = length << 8 | static_cast<unsigned char>(byte);
    const std::string_view chunk = bytes.substr(0, kChunkFrame + length);
    if (std::find(kChunks.begin(), kChunks.end(), chunk.substr(4, 4)) != kChunks.end())
      kept += chunk;
    bytes.remove_prefix(chunk.size());
  }
  return kept;
}

std::string grey_of(std::string_view rgb) {
  std::string grey(rgb.size() / 3, '\0');
  for (std::size_t i = 0; i < grey.size(); ++i) {
    const auto part = [&](std::size_t at) { return static_cast<unsigned char>(rgb[3 * i + at]); };
    grey[i] = luma_of(part(0), part(1), part(2));
  }
  return grey;
}

}  // namespace

Picture read_png(std::string_view bytes, std::uint64_t most, Colours colours) {
  const std::string kept = deciding_chunks(bytes);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, decltype(&png_image_free)> end(&image, png_image_free);
  const auto check = [&image](int good) {
    if (good == 0) throw std::runtime_error(std::string("a damaged PNG picture: ") + image.message);
  };
  check(png_image_begin_read_from_memory(&image, kept.data(), kept.size()));
  if (std::uint64_t{image.width} * image.height > most)
    throw std::runtime_error(std::to_string(image.height) + " x " + std::to_string(image.width) +
                             " pixels");
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // without gAMA, not linear light
  const bool mixed = colours == Colours::kGrey && (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  image.format = colours == Colours::kGrey && !mixed ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  Picture picture{image.height, image.width, {}};
  picture.pixels.resize(PNG_IMAGE_SIZE(image));
  const png_color black{};
  check(png_image_finish_read(&image, &black, picture.pixels.data(), 0, nullptr));
  if (mixed) picture.pixels = grey_of(picture.pixels);
  return picture;
}

}  // namespace runner
