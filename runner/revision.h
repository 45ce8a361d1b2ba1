// Which source this program was built from.
#pragma once

#include <string>

namespace runner {

// "0.1.0 (ee1d22d)", "0.1.0 (ee1d22d, modified)", or "0.1.0" where it was built without git.
std::string version_text();

}  // namespace runner
