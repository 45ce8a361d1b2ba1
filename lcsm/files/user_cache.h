// The folder of files that all workspaces of a user share.
#pragma once

#include <filesystem>

namespace lcsm {

// $LCSM_CACHE, else lcsm/ in the user's cache folder, as in lcsm/libtorch.sh; "" if there is none.
std::filesystem::path user_cache();

}  // namespace lcsm
