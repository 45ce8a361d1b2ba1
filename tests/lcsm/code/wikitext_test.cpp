#include "lcsm/code/wikitext.h"

#include <gtest/gtest.h>

namespace lcsm {
namespace {

const Catalogue kBuiltIn;

std::int64_t total(const std::string& code, int layers) {
  return model_parameters(make_variant(parse_code(code, kBuiltIn), kBuiltIn), {50265, layers})
      .total();
}

// The paper's totals, exact to the last parameter, each at the depth that proves it.
struct Published {
  std::string code;
  int layers;
  std::int64_t parameters;
};

const std::vector<Published> kPublished = {
    {"0-0-0-0", 10, 43451904},       {"0-0-0-0@o=fixed", 10, 43451904},
    {"0-0-1-0", 10, 43451904},       {"1-0-0-0", 10, 43451904},
    {"1-0-1-0", 10, 43451904},       {"0-1-0-0", 9, 44039680},
    {"0-1-1-0", 9, 44039680},        {"1-1-0-0", 9, 44039680},
    {"1-1-1-0", 9, 44039680},        {"1-1-1-0@tau=1", 9, 44039680},
    {"1-1-1-0@tau=64", 9, 44039680}, {"1-2-1-0", 9, 43449856},
    {"1-3-1-0", 10, 43451904},       {"1-4-1-0", 11, 44503936},
    {"1-5-1-0", 11, 44508160},       {"1-6-1-0", 10, 44107264},
    {"1-7-1-0", 9, 44039680},        {"1-8-1-0", 9, 43451008},
    {"1-9-1-0", 10, 43457024},       {"1-11-1-0", 10, 44108544},
    {"ssm", 10, 43779584},           {"1-2-1-0@gate=frozen", 9, 43449856},
};

}  // namespace

TEST(Wikitext, CountsThePublishedTotalsAtTheUsualDepth) {
  for (const Published& row : kPublished) {
    SCOPED_TRACE(row.code);
    EXPECT_EQ(total(row.code, row.layers), row.parameters);
    EXPECT_EQ(default_depth(parse_code(row.code, kBuiltIn), kBuiltIn), row.layers);
  }
}

TEST(Wikitext, CountsLinearAttentionAlikeForEveryActivation) {
  for (int a = 0; a < 8; ++a) {
    const std::string code = "1-10-1-" + std::to_string(a);
    EXPECT_EQ(total(code, 10), 43451904) << code;
    EXPECT_EQ(default_depth(parse_code(code, kBuiltIn), kBuiltIn), 10) << code;
  }
}

TEST(Wikitext, CountsTheActivationTestOneLayerDeeper) {
  for (int a = 0; a < 8; ++a) EXPECT_EQ(total("1-1-1-" + std::to_string(a), 10), 46073344);
}

TEST(Wikitext, SplitsTotalsIntoLearnedFixedAndStored) {
  const auto count = [](const std::string& code) {
    return mixer_parameters(make_variant(parse_code(code, kBuiltIn), kBuiltIn));
  };
  EXPECT_EQ(count("0-0-0-0@o=fixed").fixed, 65536);
  EXPECT_EQ(count("0-0-0-0").fixed, 0);
  EXPECT_EQ(count("1-2-1-0@gate=frozen").fixed, 512 * 512);
  EXPECT_EQ(count("1-2-1-0@gate=frozen").total(), count("1-2-1-0").total());
  EXPECT_EQ(count("1-10-1-0").stored, 65536);
  EXPECT_EQ(count("1-11-1-0").fixed, 128);
  EXPECT_EQ(count("1-11-1-0").stored, 2 * 65536);
}

TEST(Wikitext, CountsTheMqarModelsMixer) {
  // spec: V d + 2 (2 d^2 + 2 k d + o + 2 d + 4 d) + 2 d, where 4d + 2d are norms outside the mixer
  const auto mixer = [](const std::string& code) {
    return mixer_parameters(make_variant(parse_code(code, kBuiltIn), kBuiltIn)).total();
  };
  EXPECT_EQ(8192 * 64 + 2 * (mixer("1-1-1-0@d=64,k=128") + 4 * 64) + 2 * 64, 598912);
  EXPECT_EQ(8192 * 256 + 2 * (mixer("1-1-1-0@d=256,k=128") + 4 * 256) + 2 * 256, 2690560);
}

TEST(Wikitext, KeepsTheDepthWhenACodeNamesItsSizes) {
  EXPECT_EQ(default_depth(parse_code("1-1-1-0@d=64,k=8", kBuiltIn), kBuiltIn), 9);
}

}  // namespace lcsm
