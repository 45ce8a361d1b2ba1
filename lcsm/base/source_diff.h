// The uncommitted changes in this program's source, as `git diff` prints them, after the names of
// untracked files. Only one generated file holds them, as it does the revision.
#pragma once

#include <string_view>

namespace lcsm {

extern const std::string_view kSourceDiff;  // empty unless the checkout was modified

}  // namespace lcsm
