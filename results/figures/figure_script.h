// Writes a figure as a gnuplot script that contains its data.
#pragma once

#include <string>

#include "results/figures/figure.h"

namespace results {

// kInline: an SVG without background, title and notes, for page_svg and the report.
enum class Canvas { kSvg, kPng, kPdf, kInline };

// Equal figures give equal bytes. Names are inert: gnuplot neither expands nor formats them.
std::string figure_script(const Figure& figure, Canvas canvas);

// Removes the version from gnuplot's SVG, so that versions which draw alike give equal bytes.
std::string tidy_svg(std::string svg);

// Removes the time of creation from gnuplot's PDF.
std::string tidy_pdf(std::string pdf);

// Prepares an SVG for a page: black becomes the page's text color, and ids are made unique by
// `number`, which differs between the pictures of a page.
std::string page_svg(const std::string& svg, int number);

}  // namespace results
