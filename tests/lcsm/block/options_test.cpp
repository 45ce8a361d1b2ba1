#include "lcsm/block/options.h"

#include <gtest/gtest.h>

#include <array>

namespace lcsm {
namespace {

constexpr std::array kRows = {
    flag("both", false, "a flag"),
    word("form", "round square", "round", "a word"),
    integer("size", "4", 1, "an integer"),
    number("edge", "0.5", 0, 1, "a number", "form=square"),
    number("radius", "0.5", 0, 1, "a number", "form!=square"),
};

std::string refusal_of_options(const std::vector<std::string>& settings) {
  try {
    Options options("f", kRows);
    for (const std::string& setting : settings) options.set(setting);
    options.check();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(Options, BeginAtTheirPresets) {
  const Options options("f", kRows);
  EXPECT_FALSE(options.flag("both"));
  EXPECT_EQ(options.text("form"), "round");
  EXPECT_EQ(options.integer("size"), 4);
  EXPECT_EQ(options.number("edge"), 0.5);
  EXPECT_FALSE(options.is_set("size"));
}

TEST(Options, HoldWhatIsSet) {
  Options options("f", kRows);
  for (const char* setting : {"both=true", "form=square", "size=7", "edge=2.5e-1"})
    options.set(setting);
  options.check();
  EXPECT_TRUE(options.flag("both"));
  EXPECT_EQ(options.integer("size"), 7);
  EXPECT_EQ(options.number("edge"), 0.25);
}

TEST(Options, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(
      refusal_of_options({"sizes=3"}),
      "f: expected one of its options (both, form, size, edge, radius), got 'sizes'; did you mean "
      "'size'?");
  EXPECT_EQ(refusal_of_options({"both"}), "f: expected OPTION=VALUE, got 'both'");
  EXPECT_EQ(refusal_of_options({"form=sqare"}),
            "f: option 'form': expected one of: round square, got 'sqare'; did you mean 'square'?");
}

TEST(Options, RefuseValuesOutOfRange) {
  EXPECT_EQ(refusal_of_options({"both=yes"}),
            "f: option 'both': expected true or false, got 'yes'");
  EXPECT_EQ(refusal_of_options({"size=0"}), "f: option 'size': expected an integer >= 1, got '0'");
  EXPECT_EQ(refusal_of_options({"size=1.5"}),
            "f: option 'size': expected an integer >= 1, got '1.5'");
  EXPECT_EQ(refusal_of_options({"form=square", "edge=nan"}),
            "f: option 'edge': expected a number from 0 to 1, got 'nan'");
}

TEST(Options, RefuseWhatHasNoMeaningBesideTheOthers) {
  EXPECT_EQ(refusal_of_options({"edge=0.1"}),
            "f: option 'edge' has no effect without form=square: remove it");
  EXPECT_EQ(refusal_of_options({"edge=0.1", "form=square"}), "");
  EXPECT_EQ(refusal_of_options({"radius=0.1", "form=square"}),
            "f: option 'radius' has no effect without form!=square: remove it");
  EXPECT_EQ(refusal_of_options({"radius=0.1"}), "");
}

}  // namespace lcsm
