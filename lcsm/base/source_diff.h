// The uncommitted changes in this program's source, as `git diff` prints them, with the names of
// untracked files above. Only one generated file holds it, like the revision.
#pragma once

#include <string_view>

namespace lcsm {

extern const std::string_view kSourceDiff;  // empty unless the checkout was modified

}  // namespace lcsm
