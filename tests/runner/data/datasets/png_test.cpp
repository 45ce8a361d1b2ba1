#include "runner/data/datasets/png.h"

#include <gtest/gtest.h>
#include <png.h>

namespace runner {

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

}  // namespace runner
