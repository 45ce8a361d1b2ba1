// The style sheet of a report: screen, phone, print, dark mode.
#pragma once

#include <string>

namespace results {

std::string report_style();

}  // namespace results
