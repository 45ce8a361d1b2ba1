// gnuplot, which draws the figures.
#pragma once

#include <string>

namespace runner {

// Whether there is a gnuplot of 5.4 or newer on PATH; `why` says what there is instead.
bool has_gnuplot(std::string* why = nullptr);

// What the script draws. Throws Failure when there is no gnuplot, or when it fails.
std::string draw(const std::string& script);

}  // namespace runner
