#include "runner/config/toml/config_value.h"

#include <gtest/gtest.h>

#include <cmath>

#include "runner/config/keys/config_keys.h"
#include "tests/message_of.h"

namespace runner {
namespace {

const ConfigKey& key(std::string_view name) {
  return kConfigKeys[static_cast<std::size_t>(key_index(name))];
}

std::string refusal(std::string_view name, const Given& given) {
  return message_of<ValueError>([&] { accepted(key(name), given); });
}

}  // namespace

TEST(ConfigValue, AcceptsTheTypeOfTheKey) {
  EXPECT_EQ(accepted(key("optim.batch"), {std::int64_t{8}}), Value(std::int64_t{8}));
  EXPECT_EQ(accepted(key("optim.lr"), {0.5}), Value(0.5));
  EXPECT_EQ(accepted(key("optim.lr"), {std::int64_t{1}}), Value(1.0)) << "an integer is a number";
  EXPECT_EQ(accepted(key("model.family"), {std::string("eos")}), Value(std::string("eos")));
}

TEST(ConfigValue, ReportsExpectedAndGot) {
  EXPECT_EQ(refusal("optim.batch", {8.0}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got 8.0; write 8");
  EXPECT_EQ(refusal("optim.batch", {8.5}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got 8.5");
  EXPECT_EQ(refusal("optim.batch", {true}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got true");
  EXPECT_EQ(refusal("optim.batch", {{}, "a list"}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got a list");
  EXPECT_EQ(refusal("optim.lr", {std::string("1e-3")}),
            "optim.lr: expected a number above 0 and at most 1e+09, got '1e-3'; remove the quotes");
  EXPECT_EQ(refusal("optim.batch", {std::string("99999999999999999999")}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got "
            "'99999999999999999999'");
  EXPECT_EQ(refusal("optim.batch", {std::string("64K")}),
            "optim.batch: expected a whole number of examples from 1 to 1048576, got '64K'");
  EXPECT_EQ(refusal("model.family", {std::string("eso")}),
            "model.family: expected one of eos, attention, system, got 'eso'; did you mean 'eos'?");
  EXPECT_EQ(refusal("model.code", {std::int64_t{1}}),
            "model.code: expected a code such as 1-9-1-4, got 1");
}

TEST(ConfigValue, RefusesTextThatNoFileCanHold) {
  EXPECT_EQ(refusal("task.path", {std::string("caf\xe9.csv")}),
            "task.path: expected text in UTF-8, got 'caf\\xe9.csv'");
  EXPECT_EQ(refusal("task.path", {std::string("caf\u00e9.csv")}), "");
}

TEST(ConfigValue, ChecksTheRange) {
  EXPECT_EQ(refusal("optim.batch", {std::int64_t{1}}), "");
  EXPECT_NE(refusal("optim.batch", {std::int64_t{0}}), "");
  EXPECT_EQ(refusal("optim.batch", {std::int64_t{1 << 20}}), "");
  EXPECT_NE(refusal("optim.batch", {std::int64_t{(1 << 20) + 1}}), "");
  constexpr std::int64_t kMostExact = std::int64_t{1} << 53;  // of a double
  EXPECT_EQ(refusal("seed", {kMostExact}), "");
  EXPECT_NE(refusal("seed", {kMostExact + 1}), "");
  EXPECT_EQ(refusal("task.train", {std::int64_t{4294967295}}), "");
  EXPECT_NE(refusal("task.train", {std::int64_t{4294967296}}), "");
  EXPECT_NE(refusal("optim.lr", {0.0}), "") << "above 0";
  EXPECT_EQ(refusal("optim.lr", {5e-324}), "");
  EXPECT_EQ(refusal("optim.decay", {0.0}), "");
  EXPECT_EQ(refusal("optim.erase", {1.0}), "");
  EXPECT_NE(refusal("optim.erase", {1.001}), "");
  for (const double wrong : {std::nan(""), HUGE_VAL, -HUGE_VAL, -1e-9})
    EXPECT_NE(refusal("optim.decay", {wrong}), "") << wrong;
}

// The examples of RFC 8785, appendix B, and the limits between its notations.
TEST(ConfigValue, WritesNumbersAsCanonicalJson) {
  const std::vector<std::pair<double, const char*>> rows = {
      {0.0, "0"},
      {-0.0, "0"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9007199254740992, "9007199254740992"},
      {295147905179352830000.0, "295147905179352830000"},
      {9.999999999999997e22, "9.999999999999997e+22"},
      {1e23, "1e+23"},
      {999999999999999700000.0, "999999999999999700000"},
      {1e21, "1e+21"},
      {9.999999999999997e-7, "9.999999999999997e-7"},
      {0.000001, "0.000001"},
      {333333333.3333332, "333333333.3333332"},
      {0.0005, "0.0005"},
      {-1.5, "-1.5"},
      {100, "100"}};
  for (const auto& [number, text] : rows) EXPECT_EQ(canonical_number(number), text);
}

TEST(ConfigValue, WritesToml) {
  EXPECT_EQ(toml_text(Value(std::int64_t{3})), "3");
  EXPECT_EQ(toml_text(Value(1.0)), "1.0");
  EXPECT_EQ(toml_text(Value(1e-7)), "1e-7");
  EXPECT_EQ(toml_text(Value(std::string("a\"b\\c\n"))), "\"a\\\"b\\\\c\\n\"");
}

}  // namespace runner
