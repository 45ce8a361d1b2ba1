#include <gtest/gtest.h>

#include "results/figures/figure_script.h"

namespace results {

TEST(FigureSvg, DoesNotNameTheVersionOfGnuplot) {
  EXPECT_EQ(tidy_svg("<svg><title>Gnuplot</title><desc>Produced by GNUPLOT 5.4</desc><g/></svg>"),
            "<svg><g/></svg>");
}

TEST(FigureSvg, InAPageHasThePagesColourAndUniqueIds) {
  const std::string svg =
      "<?xml version=\"1.0\"?>\n<svg id=\"a\"><circle id='gpDot'/><use xlink:href='#gpDot'/>"
      "<path stroke='black' clip-path=\"url(#c)\"/><path stroke='rgb(  0,   0,   0)'/></svg>";
  EXPECT_EQ(page_svg(svg, 3),
            "<svg id=\"f3-a\"><circle id='f3-gpDot'/><use xlink:href='#f3-gpDot'/>"
            "<path stroke=\"currentColor\" clip-path=\"url(#f3-c)\"/><path "
            "stroke='currentColor'/></svg>");
}

}  // namespace results
