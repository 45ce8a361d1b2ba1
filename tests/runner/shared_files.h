// Real data and other people's numbers, which the project does not hold: beside the checkout, in
// ../shared, or in the folder that LCSM_SHARED names.
#pragma once

#include <filesystem>

namespace runner {

// Where the file would be; a test skips when it is not there.
std::filesystem::path shared_file(const std::filesystem::path& relative);

}  // namespace runner
