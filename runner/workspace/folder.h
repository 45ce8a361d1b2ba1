// The folder that holds runs/, results.db and data/.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// The command line's, else LCSM_WORKSPACE, else ./workspace.
std::filesystem::path workspace_folder(const std::string& given = "");

}  // namespace runner
