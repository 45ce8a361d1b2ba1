#include "results/figures/figure_kinds.h"

#include <gtest/gtest.h>

#include "tests/message_of.h"
#include "tests/results/figures/figure_samples.h"
#include "tests/results/fixture.h"
#include "tests/source_folder.h"

namespace results {
namespace {

std::string refusal_of_figure_kinds(const std::string& name) {
  return message_of<std::invalid_argument>([&] { kind_named(name); });
}

}  // namespace

TEST(FigureKinds, EveryOneIsPlottedInEachPanel) {
  for (const FigureKind& kind : kFigureKinds) {
    SCOPED_TRACE(kind.name);
    Figure figure = hostile_figure(std::string(kind.name));
    if (kind.over == Over::kNumbers) figure.x_names.clear();
    const Axis x = kind.x_axis(figure), y = kind.y_axis(figure);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
      PanelPlots plots;
      kind.plot({figure, figure.panels[i], i, x, y, "10", 100}, &plots);
      ASSERT_FALSE(plots.plots.empty());
      const std::string block = "$p" + std::to_string(i);
      for (const std::string& plot : plots.plots) EXPECT_TRUE(plot.starts_with(block)) << plot;
      EXPECT_TRUE(plots.data.starts_with(block)) << plots.data;
    }
    EXPECT_FALSE(kind.help.empty());
    EXPECT_FALSE(kind.key != nullptr && kind.colours != nullptr) << "one legend";
    if (kind.key == nullptr) continue;
    EXPECT_NE(kind.key(style_of(1)).find(style_of(1).colour), std::string::npos);
  }
}

TEST(FigureKinds, AreInTheReadmesTable) {
  const std::string readme = read_text(source_folder() / "results/README.md");
  if (readme.empty()) GTEST_SKIP() << "source tree not found: " << source_folder();
  for (const FigureKind& kind : kFigureKinds)
    EXPECT_NE(readme.find("\n| `" + std::string(kind.name) + "` |"), std::string::npos)
        << kind.name;
}

TEST(FigureKinds, FollowFromTheAxisOrMustSuitIt) {
  EXPECT_EQ(kind_of("", false).name, "lines");
  EXPECT_EQ(kind_of("", true).name, "dots");
  EXPECT_EQ(kind_of("lines", false).name, "lines");
  EXPECT_EQ(kind_of("heatmap", true).name, "heatmap");
  EXPECT_EQ(kind_of("scatter", false).name, "scatter");
  EXPECT_THROW(kind_of("lines", true), std::invalid_argument);
  EXPECT_THROW(kind_of("dots", false), std::invalid_argument);
}

TEST(FigureKinds, AnUnknownNameIsCorrected) {
  EXPECT_EQ(kind_named(""), nullptr);
  EXPECT_EQ(refusal_of_figure_kinds("heatmp"),
            "expected one of lines, dots, heatmap, scatter, parallel, importance, got 'heatmp'; "
            "did you mean 'heatmap'?");
}

}  // namespace results
