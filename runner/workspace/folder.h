// Finds the workspace: the folder that holds runs/, results.db and data/.
#pragma once

#include <filesystem>
#include <string>

namespace runner {

// LCSM_WORKSPACE, else ./workspace.
std::filesystem::path default_workspace();

// The help of --workspace.
inline constexpr const char* kWorkspaceHelp =
    "The workspace (default: LCSM_WORKSPACE, else ./workspace)";

// The given workspace, else the default. From now on this process follows no links below it
// (lcsm/files/confined.h), except in data/; the workspace itself may be a link.
std::filesystem::path workspace_folder(const std::string& given = "");

// True if the folder has a runs/.
bool is_workspace(const std::filesystem::path& folder);

inline constexpr const char* kSubmissionsFolder = "submissions";

// The folder of one submission to a cluster or to hosts: its runs, and which of them are done.
std::filesystem::path submission_folder(const std::filesystem::path& workspace,
                                        const std::string& token);

}  // namespace runner
