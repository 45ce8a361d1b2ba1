// Formats durations and sizes.
#pragma once

#include <string>

namespace runner {

// "90" (seconds), "90s", "15m", "1.5h", "2d". Throws std::invalid_argument for anything else.
double seconds_of(const std::string& text);

// Formats the duration in the largest unit that divides it: "90 s", "15 min", "2 h", "2 d".
std::string exact_duration(double seconds);

std::string duration_text(double seconds);  // "38 s", "12 min", "3.4 h", "2.1 days"
std::string size_text(double bytes);        // "420 MB"

}  // namespace runner
