// A figure as a script of gnuplot with its data in it.
#pragma once

#include <string>

#include "results/figures/figure.h"

namespace results {

// kInline: an svg for a page of ours, to be tidied by page_svg: without background, title and
// notes.
enum class Canvas { kSvg, kPng, kInline };

// The same figure is the same bytes. Every name is inert: gnuplot neither expands nor formats it.
std::string figure_script(const Figure& figure, Canvas canvas);

// What gnuplot drew, the same by every version of it that draws the same: without its version.
std::string tidy_svg(std::string svg);

// For a page: black is the page's colour of text, and no two pictures share an id. `number` tells
// the page's pictures apart.
std::string page_svg(const std::string& svg, int number);

}  // namespace results
