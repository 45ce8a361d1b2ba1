#include "lcsm/files/user_cache.h"

#include <cstdlib>
#include <string>

namespace lcsm {

std::filesystem::path user_cache() {
  struct Row {
    const char *variable, *below;
  };
  for (const auto& [variable, below] :
       {Row{"LCSM_CACHE", ""}, {"XDG_CACHE_HOME", "/lcsm"}, {"HOME", "/.cache/lcsm"}})
    if (const char* const folder = std::getenv(variable); folder != nullptr && *folder != '\0')
      return std::string(folder) + below;
  return {};
}

}  // namespace lcsm
