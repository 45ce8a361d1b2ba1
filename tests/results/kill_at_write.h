// Ends a process at its N-th change of the file system, as `kill -9` at that moment would, lets
// that change fail, or sends a signal.
#pragma once

#include <functional>
#include <optional>

namespace results {

// Runs `work` in a child that is killed at its N-th write, truncation, sync, rename, removal or new
// folder, half of a killed write done. Returns whether it was killed; false: `work` made fewer than
// N of them. Throws std::runtime_error when the work failed by itself.
bool killed_at(int n, const std::function<void()>& work);

// The same, but the change fails with `error` (ENOSPC, EIO), half of a write done; and all behind
// it too, when it `lasts`. Returns what `work` returned; none: it made fewer than N changes.
std::optional<int> failing_at(int n, int error, bool lasts, const std::function<int()>& work);

// The same, but `signal` is raised and the change is done.
std::optional<int> signalled_at(int n, int signal, const std::function<int()>& work);

}  // namespace results
