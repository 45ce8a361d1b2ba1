// How a report looks: on paper, on a phone, in the dark.
#pragma once

#include <string>

namespace results {

std::string report_style();

}  // namespace results
