// The styles of series: distinguishable by color, and without color by point and dash.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace results {

// Distinguishable with the common kinds of color blindness, with enough contrast both on white and
// on the report's dark page; figure_script_test computes both.
inline constexpr std::array<std::string_view, 6> kColours = {"#0072b2", "#d55e00", "#009e73",
                                                             "#c264a0", "#7a7a7a", "#9a7400"};
inline constexpr std::string_view kPaper = "#ffffff", kDarkPage = "#15181c";

// The opacity of a band around a line: visible on dark and light, and other series show through.
inline constexpr double kBandOpacity = 0.3;

// gnuplot's numbers of circle, square, triangles, diamond, pentagon; filled, then open.
inline constexpr std::array kPoints = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};
inline constexpr std::array kDashes = {1, 2, 4, 5};

struct SeriesStyle {
  std::string_view colour;
  int point, dash;
};

constexpr SeriesStyle style_of(std::size_t series) {
  return {kColours[series % kColours.size()], kPoints[series % kPoints.size()],
          kDashes[series / kColours.size() % kDashes.size()]};
}

}  // namespace results
