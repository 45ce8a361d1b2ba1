#include "runner/data/datasets/jpeg.h"

#include <gtest/gtest.h>
#include <jpeglib.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "runner/data/datasets/png.h"
#include "tests/message_of.h"

namespace runner {
namespace {

// A JPEG file of RGB pixels, or of gray ones.
std::string jpeg_of(const std::string& pixels, unsigned rows, unsigned columns, int channels,
                    bool progressive = false) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&info, &bytes, &size);
  info.image_height = rows;
  info.image_width = columns;
  info.input_components = channels;
  info.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  if (progressive) jpeg_simple_progression(&info);
  jpeg_start_compress(&info, TRUE);
  std::string copy = pixels;
  while (info.next_scanline < rows) {
    auto* line = reinterpret_cast<JSAMPROW>(copy.data() + info.next_scanline * columns *
                                                              static_cast<unsigned>(channels));
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  std::string file(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return file;
}

// Red on the left, blue on the right.
std::string two_halves() {
  std::string pixels;
  for (int i = 0; i < 16 * 32; ++i)
    pixels += i % 32 < 16 ? std::string("\xff\0\0", 3) : std::string("\0\0\xff", 3);
  return pixels;
}

int value(const Picture& picture, std::size_t at) {
  return static_cast<unsigned char>(picture.pixels[at]);
}

std::string refusal(const std::string& bytes, std::uint64_t most = 1000) {
  return message_of([&] { read_jpeg(bytes, most, Colours::kRgb); });
}

}  // namespace

TEST(Jpeg, IsReadInColourAndInGrey) {
  for (const bool progressive : {false, true}) {
    const std::string file = jpeg_of(two_halves(), 16, 32, 3, progressive);
    const Picture colour = read_picture(file, 512, Colours::kRgb);
    ASSERT_EQ(colour.rows, 16u);
    ASSERT_EQ(colour.columns, 32u);
    ASSERT_EQ(colour.pixels.size(), 3u * 512);
    EXPECT_NEAR(value(colour, 0), 255, 4);
    EXPECT_NEAR(value(colour, 2), 0, 4);
    EXPECT_NEAR(value(colour, 3 * 31 + 2), 255, 4);
    const Picture grey = read_picture(file, 512, Colours::kGrey);
    ASSERT_EQ(grey.pixels.size(), 512u);
    EXPECT_NEAR(value(grey, 0), 0.299 * 255, 4);
    EXPECT_NEAR(value(grey, 31), 0.114 * 255, 4);
  }
  const Picture from_grey =
      read_picture(jpeg_of(std::string(64, '\x80'), 8, 8, 1), 64, Colours::kRgb);
  EXPECT_EQ(from_grey.pixels, std::string(192, '\x80'));
}

TEST(Jpeg, OfTooManyPixelsOrDamagedIsRefused) {
  const std::string good = jpeg_of(two_halves(), 16, 32, 3);
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(good, 511), "16 x 32 pixels");
  EXPECT_NE(refusal("").find("a damaged JPEG picture"), std::string::npos);
  EXPECT_NE(refusal(good.substr(0, good.size() / 2)).find("a damaged JPEG picture"),
            std::string::npos);
}

// LCSM_FUZZ sets the number of files, 2000 by default.
TEST(Jpeg, MutationsAreReadOrRefused) {
  const char* const requested = std::getenv("LCSM_FUZZ");
  const int rounds = requested != nullptr ? std::atoi(requested) : 2000;
  std::mt19937 random(7);
  int refused = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = jpeg_of(two_halves(), 16, 32, 3, round % 2 == 1);
    for (std::size_t i = 0; i <= random() % 3; ++i) {
      const std::size_t at = random() % bytes.size();
      if (random() % 4 == 0)
        bytes.erase(at, random() % 9);
      else
        bytes[at] = static_cast<char>(random());
    }
    refused += !refusal(bytes).empty();
  }
  EXPECT_GT(refused, rounds / 20);
  EXPECT_LT(refused, rounds);
}

TEST(Picture, InColourIsReadFromPngToo) {
  const Picture colour = read_picture(png_of("ab", 1, 2), 2, Colours::kRgb);
  EXPECT_EQ(colour.pixels, "aaabbb");
}

}  // namespace runner
