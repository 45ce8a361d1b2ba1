#include "runner/workspace/folder.h"

#include <cstdlib>

#include "results/events/run_folder.h"

namespace runner {

std::filesystem::path workspace_folder(const std::string& given) {
  if (!given.empty()) return given;
  const char* named = std::getenv("LCSM_WORKSPACE");
  return named != nullptr && *named != '\0' ? named : "workspace";
}

std::filesystem::path submission_folder(const std::filesystem::path& workspace,
                                        const std::string& token) {
  return workspace / kSubmissionsFolder / token;
}

bool is_workspace(const std::filesystem::path& folder) {
  std::error_code unreadable;
  return std::filesystem::is_directory(folder / results::kRunsFolder, unreadable);
}

}  // namespace runner
