#include "runner/data/datasets/png.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "tests/message_of.h"
#include "tests/runner/data/datasets/sample_pngs.h"

namespace runner {
namespace {

// A chunk after the header, with its name and the length that it claims.
std::string with_chunk(const std::string& png, const std::string& name, std::uint32_t length,
                       const std::string& data) {
  std::string chunk;
  for (int shift = 24; shift >= 0; shift -= 8) chunk += static_cast<char>(length >> shift);
  return png.substr(0, 33) + chunk + name + data + "sum?" + png.substr(33);
}

long peak_kilobytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace

TEST(Png, IsReadBack) {
  std::string pixels;
  for (int i = 0; i < 7 * 5; ++i) pixels += static_cast<char>(i * 37);
  const std::string bytes = png_of(pixels, 7, 5);
  EXPECT_TRUE(bytes.starts_with("\x89PNG\r\n"));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  EXPECT_EQ(image.height, 7u);
  EXPECT_EQ(image.width, 5u);
  image.format = PNG_FORMAT_GRAY;
  std::string read(PNG_IMAGE_SIZE(image), '\0');
  ASSERT_NE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr), 0);
  EXPECT_EQ(read, pixels);
  EXPECT_THROW(png_of(pixels, 7, 6), std::logic_error);
}

TEST(Png, SixteenBitsOfAShadeKeepTheirHigherEight) {
  const std::string bytes = png_of_16_bits({0, 64 * 257, 128 * 257, 65535});
  EXPECT_EQ(read_png(bytes, 4).pixels, std::string("\0\x40\x80\xff", 4));
}

TEST(Png, GrayOfColoursIsTheLumaOfJpeg) {
  const std::string rgb("\xff\0\0\0\xff\0\0\0\xff\x80\x80\x80", 12);
  EXPECT_EQ(read_png(png_in_colour(rgb, 2, 2), 4).pixels, "\x4c\x96\x1d\x80");
  EXPECT_EQ(read_png(png_in_colour(rgb, 2, 2), 4, Colours::kRgb).pixels, rgb);
}

TEST(Png, ChunksThatDecideNoPixelCostNothing) {
  const std::string good = png_of("abcd", 2, 2);
  EXPECT_EQ(read_png(with_chunk(good, "tEXt", 3, "a=b"), 4).pixels, "abcd");
  const long before = peak_kilobytes();
  for (const char* name : {"tEXt", "zTXt", "iTXt", "sPLT", "eXIf", "iCCP", "PLTE", "IDAT"})
    EXPECT_TRUE(message_of([&] {
                  read_png(with_chunk(good, name, 0x7ffffff0, "x"), 4);
                }).starts_with("a damaged PNG picture"))
        << name;
  EXPECT_LT(peak_kilobytes() - before, 100'000);
}

}  // namespace runner
