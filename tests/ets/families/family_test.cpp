#include "ets/families/family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/message_of.h"
#include "tests/source_folder.h"

namespace ets {
namespace {

lcsm::Block variant(const std::string& name, const std::vector<std::string>& settings,
                    std::int64_t d = 4) {
  const lcsm::BlockRow* row = family_named(name);
  lcsm::Options options = lcsm::options_of(*row);
  for (const std::string& setting : settings) options.set(setting);
  return lcsm::make_block(*row, options, d);
}

const lcsm::Parameter& named(const lcsm::Parameters& all, const std::string& name) {
  for (const lcsm::Parameter& tensor : all)
    if (tensor.name == name) return tensor;
  throw std::out_of_range(name);
}

std::string refusal(const std::string& name, const std::vector<std::string>& settings) {
  return message_of<std::invalid_argument>([&] { variant(name, settings); });
}

std::int64_t count_of(const lcsm::Block& v) {
  std::int64_t count = 0;
  for (const lcsm::Parameter& tensor : tensors_of(v)) count += tensor.count();
  return count;
}

}  // namespace

TEST(Family, GivesEachTensorANameAndAsManyFirstValuesAsItHasEntries) {
  for (const lcsm::BlockRow* family : family_rows()) {
    std::set<std::string> names;
    for (const lcsm::Parameter& tensor : tensors_of(variant(std::string(family->name), {}, 6))) {
      EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
      EXPECT_FALSE(tensor.start.empty()) << tensor.name;
      const std::vector<double> values = tensor.drawn(1);
      EXPECT_EQ(static_cast<std::int64_t>(values.size()), tensor.count()) << tensor.name;
      for (const double value : values) ASSERT_TRUE(std::isfinite(value)) << tensor.name;
      EXPECT_EQ(values, tensor.drawn(1));
    }
  }
}

// Names that Python allows.
TEST(Family, IsInTheListOfThePythonPackage) {
  std::ifstream file(source_folder() / "runner/python/lcsm/ets.py");
  if (!file) GTEST_SKIP() << "source tree not found: " << source_folder();
  const std::string module(std::istreambuf_iterator<char>(file), {});
  for (const lcsm::BlockRow* family : family_rows()) {
    const bool allowed = std::ranges::all_of(
        family->name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; });
    EXPECT_EQ(module.find('"' + std::string(family->name) + '"') != module.npos, allowed)
        << family->name << ": FILTERS of runner/python/lcsm/ets.py";
  }
}

// models of ETSMLP: 6 numbers for each channel and direction, and a shortcut.
TEST(Family, CountsTheParametersOfThePapers) {
  EXPECT_EQ(count_of(variant("ces", {"bidirectional=true"}, 160)), 13 * 160);
  EXPECT_EQ(count_of(variant("ces", {}, 160)), 7 * 160);
  EXPECT_EQ(count_of(variant("ema", {"bidirectional=true"}, 80)), 2 * 80 * 16 * 4 + 80);
  EXPECT_EQ(count_of(variant("dss", {"output=none"}, 8)), 2 * 64 + 2 * 8 + 2 * 8 * 64 + 8);
}

TEST(Family, RefusesSizesThatDoNotFit) {
  EXPECT_EQ(refusal("s4d", {"systems=3"}),
            "s4d: option 'systems': expected a divisor of the 4 channels, got 3");
  EXPECT_EQ(refusal("h3", {"head_size=3"}),
            "h3: option 'head_size': expected a divisor of the 4 channels, got 3");
  EXPECT_EQ(refusal("s5", {"modes=4", "blocks=3"}),
            "s5: option 'blocks': expected a divisor of the 4 modes, got 3");
}

TEST(Family, DrawsFirstStepsBetweenTheirBounds) {
  for (const char* form : {"step=exp", "step=softplus"})
    for (const double raw : named(tensors_of(variant("s4d", {form}, 200)), "raw_step").drawn(3)) {
      const double step =
          form == std::string("step=exp") ? std::exp(raw) : std::log1p(std::exp(raw));
      EXPECT_GE(step, 0.001 * (1 - 1e-12));
      EXPECT_LE(step, 0.1 * (1 + 1e-12));
    }
}

TEST(Family, TiesTheTwoPartsOfAFirstStep) {
  const std::vector<double> steps = named(tensors_of(variant("ces", {}, 50)), "log_step").drawn(1);
  for (std::size_t n = 0; n < steps.size(); n += 2) EXPECT_EQ(steps[n], steps[n + 1]);
  EXPECT_NE(steps[0], steps[2]);
}

TEST(Family, DrawsFirstDecaysOfCesInTheRing) {
  const std::vector<double> l =
      named(tensors_of(variant("ces", {"r_min=0.6", "r_max=0.8", "max_phase=1"}, 500)), "log_rate")
          .drawn(1);
  for (std::size_t n = 0; n < l.size(); n += 2) {
    const double radius = std::exp(std::exp(l[n]) * std::cos(l[n + 1])),
                 angle = std::exp(l[n]) * std::sin(l[n + 1]);
    EXPECT_GE(radius, 0.6 - 1e-12);
    EXPECT_LE(radius, 0.8 + 1e-12);
    EXPECT_GE(angle, -1e-12);
    EXPECT_LE(angle, 1 + 1e-12);
  }
}

// The mean square of n draws is off by about sqrt(2 / n) of itself; never by six times that.
TEST(Family, DrawsS5sMatricesOfTheRightSize) {
  for (const auto& [start, expected] :
       {std::pair{"truncated", 2.0 / 16}, {"lecun", 2.0 / 16 / 50}, {"complex", 1.0}}) {
    const lcsm::Block v = variant("s5", {"modes=8", "blocks=2", std::string("start=") + start}, 50);
    double sum = 0;
    for (const double c : named(tensors_of(v), "shrink").drawn(5)) sum += c * c;
    EXPECT_NEAR(sum / (8 * 50) / expected, 1, 6 * std::sqrt(2.0 / (8 * 50 * 2))) << start;
  }
}

// A preset outside its own range would be refused when it is written down.
TEST(Family, OptionsAcceptTheirPresets) {
  for (const lcsm::BlockRow* family : family_rows())
    for (const lcsm::OptionRow& row : family->options()) {
      lcsm::Options options = lcsm::options_of(*family);
      EXPECT_NO_THROW(options.set(row.name, row.preset)) << family->name << " " << row.name;
    }
}

}  // namespace ets
