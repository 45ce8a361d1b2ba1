#include "results/published.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "lcsm/wikitext.h"

namespace results {
namespace {

const std::string kHeader = "paper,table,row,task,metric,split,value,params_m,note\n";

std::string refusal(const std::string& csv) {
  try {
    parse_published(csv);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

std::string millions(std::int64_t parameters) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(parameters) / 1e6);
  return text;
}

}  // namespace

TEST(Published, RefusesWhatIsNoTableWithItsLine) {
  EXPECT_NE(refusal("paper,table\n").find("line 1: expected the header"), std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c\n").find("line 2: expected 9 fields, got 3"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c,d,e,f,1x,,\n").find("'1x' is not a number"),
            std::string::npos);
  EXPECT_NE(refusal(kHeader + "a,b,c,d,e,f,1,,\"x\n").find("a quote is not closed"),
            std::string::npos);
}

TEST(Published, ReadsQuotedFields) {
  const auto values = parse_published(kHeader + "a,b,c,d,e,f,1.5,43.46,\"x, \"\"y\"\"\"\n");
  ASSERT_EQ(values.size(), 1u);
  EXPECT_EQ(values[0].note, "x, \"y\"");
  EXPECT_EQ(values[0].value, 1.5);
}

TEST(Published, NamesCodesThatExist) {
  const lcsm::Catalogue catalogue;
  for (const PublishedValue& value : published_values())
    EXPECT_NO_THROW(lcsm::parse_code(value.row, catalogue)) << value.row;
}

TEST(Published, PrintsTotalsThatSomeDepthGives) {
  const lcsm::Catalogue catalogue;
  for (const PublishedValue& value : published_values()) {
    if (value.paper != "lcsm" || value.params_m.empty()) continue;
    const lcsm::Variant variant =
        lcsm::make_variant(lcsm::parse_code(value.row, catalogue), catalogue);
    bool found = false;
    for (const int layers : {9, 10, 11}) {
      const auto total = lcsm::model_parameters(variant, {50265, layers}).total();
      found = found || std::abs(std::stod(millions(total)) - std::stod(value.params_m)) < 1e-9;
    }
    EXPECT_TRUE(found) << value.row << " " << value.params_m;
  }
}

}  // namespace results
