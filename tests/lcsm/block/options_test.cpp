#include "lcsm/block/options.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/message_of.h"

namespace lcsm {
namespace {

struct Sample {
  bool both = false;
  Word<"round square"> form = "round";
  std::int64_t size = 4;
  double edge = 0.5, radius = 1e-6;

  void describe(auto& option) {
    option("both", both, "a flag");
    option("form", form, "a word");
    option("size", size, "an integer", {.least = 1});
    option("edge", edge, "a number", {.most = 1, .needs = "form=square"});
    option("radius", radius, "a number", {.most = 1, .needs = "form!=square"});
  }
};

Options sample() { return {"f", option_rows<Sample>()}; }

std::string refusal_of_options(const std::vector<std::string>& settings) {
  return message_of<std::invalid_argument>([&] {
    Options options = sample();
    for (const std::string& setting : settings) options.set(setting);
    options.check();
  });
}

}  // namespace

TEST(Options, BeginAtTheirPresets) {
  const Sample options = read_options<Sample>(sample());
  EXPECT_FALSE(options.both);
  EXPECT_TRUE(options.form == "round");
  EXPECT_EQ(options.size, 4);
  EXPECT_EQ(options.edge, 0.5);
  EXPECT_FALSE(sample().is_set("size"));
  EXPECT_EQ(sample().text("radius"), "1e-6");
}

TEST(Options, HoldWhatIsSet) {
  Options options = sample();
  for (const char* setting : {"both=true", "form=square", "size=7", "edge=2.5e-1"})
    options.set(setting);
  options.check();
  const Sample fields = read_options<Sample>(options);
  EXPECT_TRUE(fields.both);
  EXPECT_TRUE(fields.form == "square");
  EXPECT_EQ(fields.size, 7);
  EXPECT_EQ(fields.edge, 0.25);
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
