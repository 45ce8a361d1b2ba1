// Ends a process at its N-th change of the file system, as `kill -9` at that moment would.
#pragma once

#include <functional>

namespace results {

// Runs `work` in a child that is killed at its N-th write, truncation, sync, rename or unlink, half
// of a killed write done. Returns whether it was killed; false: `work` made fewer than N of them.
// Throws std::runtime_error when the work failed by itself.
bool killed_at(int n, const std::function<void()>& work);

}  // namespace results
