// The folder of what lcsm keeps for its user beside all workspaces.
#pragma once

#include <filesystem>

namespace lcsm {

// LCSM_CACHE, else lcsm in the user's cache, as in lcsm/libtorch.sh; "" where there is none.
std::filesystem::path user_cache();

}  // namespace lcsm
