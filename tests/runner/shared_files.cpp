#include "tests/runner/shared_files.h"

#include <cstdlib>

#include "tests/source_folder.h"

namespace runner {

std::filesystem::path shared_file(const std::filesystem::path& relative) {
  if (const char* folder = std::getenv("LCSM_SHARED"))
    return std::filesystem::path(folder) / relative;
  return source_folder().parent_path() / "shared" / relative;
}

}  // namespace runner
