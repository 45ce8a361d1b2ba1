// The folder that holds runs/, results.db and data/.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// The command line's, else LCSM_WORKSPACE, else ./workspace.
std::filesystem::path workspace_folder(const std::string& given = "");

// Whether the folder has a runs/.
bool is_workspace(const std::filesystem::path& folder);

}  // namespace runner
