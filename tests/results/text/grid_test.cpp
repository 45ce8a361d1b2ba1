#include "results/text/grid.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace results {
namespace {

const Grid kGrid = {{"code", "n", "mean"},
                    {{std::string("1-1-1-0"), std::int64_t{3}, 24.1},
                     {std::string("<b>|=1"), std::int64_t{1}, {}},
                     {std::string("x"), {}, std::numeric_limits<double>::infinity()}}};

}  // namespace

TEST(Grid, ShowsNumbersInTheFewestDigitsThatRestoreThem) {
  EXPECT_EQ(cell_text(0.1), "0.1");
  EXPECT_EQ(cell_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(cell_text(std::int64_t{-7}), "-7");
  EXPECT_EQ(cell_text({}), "");
}

TEST(Grid, IsCsv) { EXPECT_EQ(csv_of(kGrid), "code,n,mean\n1-1-1-0,3,24.1\n<b>|=1,1,\nx,,inf\n"); }

TEST(Grid, IsMarkdownWithNumbersRightAligned) {
  EXPECT_EQ(markdown_of(kGrid),
            "| code | n | mean |\n|---|---:|---:|\n| 1-1-1-0 | 3 | 24.1 |\n"
            "| &lt;b&gt;\\|=1 | 1 |  |\n| x |  | inf |\n");
}

TEST(Grid, IsJson) {
  const auto json = nlohmann::json::parse(json_of(kGrid, "lcsm.query/1"));
  EXPECT_EQ(json["schema"], "lcsm.query/1");
  EXPECT_EQ(json["rows"][0][2], 24.1);
  EXPECT_TRUE(json["rows"][1][2].is_null());
  EXPECT_EQ(json["rows"][2][2], "inf");
  EXPECT_EQ(json_lines_of({{"a", "b", "a"}, {{Cell{std::int64_t{1}}, Cell{}, Cell{2.5}}}}),
            "{\"a\":2.5}\n")
      << "as a reader of JSON would keep it";
  EXPECT_EQ(json_lines_of(kGrid).substr(0, 38), "{\"code\":\"1-1-1-0\",\"n\":3,\"mean\":24.1}\n{");
}

}  // namespace results
