#include "runner/workspace/folder.h"

#include <cstdlib>

namespace runner {

std::filesystem::path workspace_folder(const std::string& given) {
  if (!given.empty()) return given;
  const char* named = std::getenv("LCSM_WORKSPACE");
  return named != nullptr && *named != '\0' ? named : "workspace";
}

}  // namespace runner
