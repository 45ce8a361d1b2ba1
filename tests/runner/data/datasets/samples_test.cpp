#include "runner/data/datasets/samples.h"

#include <gtest/gtest.h>

#include "runner/data/datasets/data_file_writer.h"
#include "tests/runner/run_program.h"

namespace runner {
namespace {

class Samples : public ::testing::Test {
 protected:
  DataFile file_of(const DataShape& shape, const std::vector<NewExample>& examples) const {
    const std::string path = (scratch_.path() / "file").string();
    std::uint64_t bytes = 0;
    for (const NewExample& example : examples) bytes += example.sequences[0].size();
    DataFileWriter writer(path, shape, "", examples.size(), bytes / shape.step_bytes());
    for (const NewExample& example : examples) writer.add(example);
    writer.keep();
    return DataFile(path);
  }
  DataFile pictures() const {
    return file_of({.vocabulary = 256, .classes = 2, .length = 6, .rows = 2, .columns = 3},
                   {{{std::string("\0\x40\x80\xc0\xff\0", 6)}, 1, {}},
                    {{std::string("\xff\xff\xff\xff\xff\xff")}, 0, {}}});
  }

 private:
  const ScratchFolder scratch_;
};

}  // namespace

TEST_F(Samples, ExpressionsAreText) {
  const DataFile file =
      file_of({.vocabulary = 15, .classes = 10}, {{{std::string("\x0b\x02\x09\x0e")}, 9, {}}});
  EXPECT_EQ(sample_text("lra-listops", file, 0, {}), "0  9  <-  [MAX 2 9 ]\n");
  EXPECT_EQ(sample_text("", file, 0, {}), "0  9  <-  11 2 9 14\n");
}

TEST_F(Samples, RealSequencesAreNumbersUpToSome) {
  NewExample example{{""}, 0, {0.5f}};
  for (int i = 0; i < 50; ++i) append(&example.sequences[0], static_cast<float>(i % 2));
  const DataFile file = file_of({.element = Element::kReal, .targets = 1, .length = 50}, {example});
  const std::string text = sample_text("nss", file, 0, {});
  EXPECT_TRUE(text.starts_with("0  0.5  <-  0 1 0 1 ")) << text;
  EXPECT_TRUE(text.ends_with(" 0 1 ... (50)\n")) << text;
}

TEST_F(Samples, PicturesAreBlocks) {
  EXPECT_EQ(sample_text("", pictures(), 0, {}), "0  1\n  ░░▒▒\n▓▓██\n");
  const Terminal plain{.tty = true, .unicode = false, .width = 80};
  EXPECT_EQ(sample_text("", pictures(), 0, plain), "0  1\n  ..++\n##@@\n");
  const Terminal narrow{.tty = true, .unicode = true, .width = 4};
  EXPECT_EQ(sample_text("", pictures(), 0, narrow), "0  1\n▒▒░░\n");
}

TEST_F(Samples, ASheetHasAFrameForEachLabel) {
  const Picture sheet = contact_sheet(pictures(), {0, 1});
  ASSERT_EQ(sheet.rows, 2u * 32 + 4);
  ASSERT_EQ(sheet.columns, 2u * (3 * 32 + 4));
  ASSERT_EQ(sheet.pixels.size(), std::size_t{sheet.rows} * sheet.columns);
  const auto pixel = [&](std::uint32_t y, std::uint32_t x) {
    return static_cast<unsigned char>(sheet.pixels[y * sheet.columns + x]);
  };
  EXPECT_EQ(pixel(0, 0), 255);
  EXPECT_EQ(pixel(0, 100), 64);
  EXPECT_EQ(pixel(2, 2), 0);
  EXPECT_EQ(pixel(2, 2 + 32), 0x40);
  EXPECT_EQ(pixel(2 + 63, 2 + 63), 0xff);
  EXPECT_EQ(pixel(2, 102), 0xff);
}

}  // namespace runner
