#include "runner/workspace/folder.h"

#include <system_error>

#include "lcsm/files/confined.h"
#include "results/events/run_folder.h"
#include "runner/base/process/process_facts.h"

namespace runner {

std::filesystem::path default_workspace() {
  const std::string named = environment_variable("LCSM_WORKSPACE");
  return named.empty() ? "workspace" : named;
}

std::filesystem::path workspace_folder(const std::string& given) {
  const std::filesystem::path folder =
      given.empty() ? default_workspace() : std::filesystem::path(given);
  lcsm::confine(folder, "data");
  return folder;
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
