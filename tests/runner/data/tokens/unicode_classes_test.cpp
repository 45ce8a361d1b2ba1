#include "runner/data/tokens/unicode_classes.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/runner/run_program.h"

namespace runner {
namespace {

std::string unicode_classes_decoded(std::string_view text) {
  std::ostringstream all;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    all << (at == 0 ? "" : " ") << std::hex << character.code;
    at += character.bytes;
  }
  return all.str();
}

// Prints a line such as "41 L" for each code point that is assigned in Python's Unicode.
const char* const kPython = R"(
import unicodedata, sys
for c in range(0x110000):
  k = unicodedata.category(chr(c))
  if k != 'Cn': print('%x %s' % (c, k[0]))
)";

}  // namespace

TEST(UnicodeClasses, ClassifiesSamples) {
  for (const std::uint32_t letter : std::initializer_list<std::uint32_t>{
           'a', 'Z', 0xaa, 0xe9, 0x17f, 0x42f, 0x65e5, 0xac00, 0x16ea0})
    EXPECT_EQ(unicode_class(letter), UnicodeClass::kLetter) << letter;
  for (const std::uint32_t number :
       std::initializer_list<std::uint32_t>{'0', '9', 0xb2, 0xbd, 0x663, 0x2167, 0x2460, 0x1d7ff})
    EXPECT_EQ(unicode_class(number), UnicodeClass::kNumber) << number;
  for (const std::uint32_t space :
       std::initializer_list<std::uint32_t>{9, 0xd, ' ', 0x85, 0xa0, 0x2003, 0x3000})
    EXPECT_EQ(unicode_class(space), UnicodeClass::kSpace) << space;
  for (const std::uint32_t other :
       std::initializer_list<std::uint32_t>{0, 0x1c, '_', 0x301, 0x200b, 0xfeff, 0x1f600, 0x110000})
    EXPECT_EQ(unicode_class(other), UnicodeClass::kOther) << other;
}

TEST(UnicodeClasses, HaveTheCountsOfUnicode17) {
  std::map<UnicodeClass, int> counts;
  for (std::uint32_t code = 0; code < 0x110000; ++code) ++counts[unicode_class(code)];
  EXPECT_EQ(counts[UnicodeClass::kLetter], 145672);
  EXPECT_EQ(counts[UnicodeClass::kNumber], 1924);
  EXPECT_EQ(counts[UnicodeClass::kSpace], 25);
}

TEST(UnicodeClasses, AgreeWithPythonOnAssignedCodePoints) {
  const Ran python = run_program({"python3", "-c", kPython});
  if (python.status != 0) GTEST_SKIP() << "python3 is not available";
  std::istringstream lines(python.out);
  std::uint32_t code = 0;
  std::string category;
  int known = 0;
  for (; lines >> std::hex >> code >> category; ++known) {
    EXPECT_EQ(unicode_class(code) == UnicodeClass::kLetter, category == "L") << code;
    EXPECT_EQ(unicode_class(code) == UnicodeClass::kNumber, category == "N") << code;
  }
  EXPECT_GT(known, 140000);
}

TEST(UnicodeClasses, TreatAnInvalidByteAsACharacter) {
  EXPECT_EQ(unicode_classes_decoded("a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"), "61 e9 65e5 1f600");
  EXPECT_EQ(unicode_classes_decoded("\xff\xc3"), "110000 110000");
  EXPECT_EQ(unicode_classes_decoded("\xc0\x80"), "110000 110000") << "overlong";
  EXPECT_EQ(unicode_classes_decoded("\xed\xa0\x80"), "110000 110000 110000") << "a surrogate";
  EXPECT_EQ(unicode_classes_decoded("\xf4\x90\x80\x80"), "110000 110000 110000 110000")
      << "beyond U+10FFFF";
  EXPECT_EQ(unicode_classes_decoded("\xe6\x97x"), "110000 110000 78") << "truncated";
}

}  // namespace runner
