// Finds and calls gnuplot, which draws the figures.
#pragma once

#include <string>

namespace runner {

// True if gnuplot 5.4 or newer is on PATH; if not, `why` says what was found.
bool has_gnuplot(std::string* why = nullptr);

// Runs the script and returns the picture. Throws Failure if gnuplot is missing or fails.
std::string draw(const std::string& script);

}  // namespace runner
