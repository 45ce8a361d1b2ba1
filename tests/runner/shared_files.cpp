#include "tests/runner/shared_files.h"

#include <cstdlib>

namespace runner {

std::filesystem::path shared_file(const std::filesystem::path& relative) {
  if (const char* folder = std::getenv("LCSM_SHARED"))
    return std::filesystem::path(folder) / relative;
  return std::filesystem::path(LCSM_SOURCE_DIR).parent_path() / "shared" / relative;
}

}  // namespace runner
