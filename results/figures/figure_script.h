// A figure as a gnuplot script that contains its data.
#pragma once

#include <string>

#include "results/figures/figure.h"

namespace results {

// kInline: an SVG without background, title and notes, for page_svg and the report.
enum class Canvas { kSvg, kPng, kPdf, kInline };

// The same figure gives the same bytes. Names are inert: gnuplot neither expands nor formats them.
std::string figure_script(const Figure& figure, Canvas canvas);

// gnuplot's SVG without its version, so that versions which draw the same give the same bytes.
std::string tidy_svg(std::string svg);

// gnuplot's PDF without the time at which it was made.
std::string tidy_pdf(std::string pdf);

// For a page: black becomes the page's text colour, and ids are made unique by `number`, which
// differs between the pictures of a page.
std::string page_svg(const std::string& svg, int number);

}  // namespace results
