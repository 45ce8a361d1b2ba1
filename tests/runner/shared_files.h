// Real data and reference numbers from outside the project: in ../shared beside the checkout, or in
// the folder LCSM_SHARED.
#pragma once

#include <filesystem>

namespace runner {

// The path of a file; a test skips if it does not exist.
std::filesystem::path shared_file(const std::filesystem::path& relative);

}  // namespace runner
