#include "results/figures/figure_kinds.h"

#include <gtest/gtest.h>

namespace results {

TEST(FigureKinds, EveryOneIsDrawnOverSomeAxisAndInTheLegend) {
  for (const FigureKind& kind : kFigureKinds) {
    SCOPED_TRACE(kind.name);
    EXPECT_TRUE(kind.over_numbers || kind.over_names);
    const SeriesStyle style = style_of(1);
    for (const std::string& plot : kind.plots({"$p0s1", style, 3})) {
      EXPECT_TRUE(plot.starts_with("$p0s1 using ")) << plot;
      EXPECT_NE(plot.find(style.colour), std::string::npos) << plot;
    }
    EXPECT_NE(kind.key(style).find(style.colour), std::string::npos);
    EXPECT_FALSE(kind.help.empty());
  }
}

TEST(FigureKinds, FollowFromTheAxisOrMustSuitIt) {
  EXPECT_EQ(kind_of("", false).name, "lines");
  EXPECT_EQ(kind_of("", true).name, "dots");
  EXPECT_EQ(kind_of("lines", false).name, "lines");
  EXPECT_THROW(kind_of("lines", true), std::invalid_argument);
  EXPECT_THROW(kind_of("dots", false), std::invalid_argument);
  EXPECT_EQ(checked_kind(""), "");
  EXPECT_THROW(checked_kind("dot"), std::invalid_argument);
}

}  // namespace results
