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
