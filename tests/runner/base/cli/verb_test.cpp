#include "runner/base/cli/verb.h"

#include <gtest/gtest.h>

namespace runner {
namespace {

struct Options {
  std::string name = "nobody";
};

std::string greeted;

void greet(const Options& options) { greeted = options.name; }

int end(const Options& options) { return options.name == "nobody" ? 0 : 8; }

enum class State { kNew, kDone };

template <class Result>
concept CanBeRun = requires(Verb& verb, Result (*work)(const Options&)) {
  verb.runs(work);
};
static_assert(CanBeRun<void> && CanBeRun<int>);
static_assert(!CanBeRun<State> && !CanBeRun<bool>, "their numbers are no exit statuses");

}  // namespace

TEST(Verb, RunsWithItsOptions) {
  Verb verb("greet", "Greet someone");
  Options& options = verb.runs(greet);
  EXPECT_EQ(options.name, "nobody") << "the default";
  options.name = "you";
  EXPECT_EQ(verb.run(), 0);
  EXPECT_EQ(greeted, "you");
}

TEST(Verb, ReturnsTheStatusOfItsWork) {
  Verb verb("end", "");
  Options& options = verb.runs(end);
  EXPECT_EQ(verb.run(), 0);
  options.name = "you";
  EXPECT_EQ(verb.run(), 8);
}

TEST(Verb, KnowsItsVerbsAndItsFullName) {
  Verb program("lcsm-train", "");
  Verb& bench = program.verb("bench", "Measure");
  EXPECT_EQ(program.find("bench"), &bench);
  EXPECT_EQ(program.find("benhc"), nullptr);
  EXPECT_EQ(bench.verb("step", "").call_name(), "lcsm-train bench step");
}

TEST(Verb, OptionsStayWhereTheyAre) {
  Verb verb("many", "");
  std::string value;
  Option& first = verb.option("--first", &value, "");
  for (int i = 0; i < 100; ++i) verb.option("--more" + std::to_string(i), &value, "");
  first.required();
  EXPECT_TRUE(verb.options()[1].facts().required) << "after --help";
}

TEST(Option, HasNamesAndAType) {
  std::vector<std::string> words;
  bool json = false;
  double tau = 1;
  const Option log("-f,--follow,--go", &words, "");
  EXPECT_EQ(log.facts().name(), "--follow");
  EXPECT_TRUE(log.facts().has_name("-f"));
  EXPECT_FALSE(log.facts().has_name("-follow"));
  EXPECT_FALSE(log.facts().is_argument());
  EXPECT_GT(log.facts().most_values(), 1);
  EXPECT_EQ(Option("-j", &json, "").facts().most_values(), 0);
  EXPECT_EQ(Option("-j", &json, "").facts().name(), "-j");
  EXPECT_EQ(Option("tau", &tau, "").facts().type, "FLOAT");
  EXPECT_TRUE(Option("tau", &tau, "").facts().is_argument());
}

}  // namespace runner
