#include "results/events/value_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace results {

TEST(ValueJson, HasTextForWhatJsonLacks) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(json_of(0.1).dump(), "0.1");
  EXPECT_EQ(json_of(std::numeric_limits<double>::quiet_NaN()).dump(), "\"nan\"");
  EXPECT_EQ(json_of(kInfinity).dump(), "\"inf\"");
  EXPECT_EQ(json_of(-kInfinity).dump(), "\"-inf\"");
}

TEST(ValueJson, NumbersReadBack) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double value : {-0.5, 3.0, kInfinity, -kInfinity})
    EXPECT_EQ(real_in(json_of(value)), value);
  EXPECT_TRUE(std::isnan(*real_in(json_of(std::numeric_limits<double>::quiet_NaN()))));
  EXPECT_EQ(real_in(nlohmann::json("1")), std::nullopt);
  EXPECT_EQ(real_in(nlohmann::json(nullptr)), std::nullopt);
}

TEST(ValueJson, KeepsTheKindOfEachValue) {
  const Values values = {{"flag", true},
                         {"list", List{"[64,128]"}},
                         {"real", 2.0},
                         {"text", std::string("a \"b\"")},
                         {"whole", std::int64_t{2}}};
  EXPECT_EQ(json_of(values).dump(),
            R"({"flag":true,"list":[64,128],"real":2.0,"text":"a \"b\"","whole":2})");
  EXPECT_EQ(json_of(Values()).dump(), "{}");
}

}  // namespace results
