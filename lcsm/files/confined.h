// Opens files below folders that may have come from a stranger, such as a workspace. A symbolic
// link there is not followed: it could lead to any file of the user, to be read, overwritten or
// removed.
#pragma once

#include <filesystem>
#include <string>

namespace lcsm {

// From now on this process follows no symbolic link below `folder`; `folder` itself may be a link.
// Its entry `apart`, and everything below that entry, stays unconfined.
void confine(const std::filesystem::path& folder, const std::string& apart = "");

// Opens a file as open(2) does, with O_CLOEXEC and O_NONBLOCK, and never opens a link for writing.
// Below a confined folder it fails with ELOOP at any link, and with ENXIO for anything but a file
// or a folder.
int open_confined(const std::filesystem::path& path, int flags);

// The first link on the way to `path` below a confined folder, `path` included; empty if there is
// none.
std::filesystem::path link_on_the_way(const std::filesystem::path& path);

}  // namespace lcsm
