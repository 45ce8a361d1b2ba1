// Folders that may have come from a stranger, such as a workspace. Nothing below them is reached
// through a symbolic link: it could lead to any file of the user, to be read, overwritten or
// removed.
#pragma once

#include <filesystem>
#include <string>

namespace lcsm {

// From now on this process follows no link below `folder`, which may be one itself. Its entry
// `apart` and what is below that are as they were.
void confine(const std::filesystem::path& folder, const std::string& apart = "");

// As open(2), with O_CLOEXEC and O_NONBLOCK; no link is opened for writing. Below a confined folder
// it fails with ELOOP at a link, and with ENXIO for what is neither a file nor a folder.
int open_confined(const std::filesystem::path& path, int flags);

// The first link on the way to `path` below a confined folder, `path` included; empty if there is
// none.
std::filesystem::path link_on_the_way(const std::filesystem::path& path);

}  // namespace lcsm
