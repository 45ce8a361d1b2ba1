// Kills a process at its N-th change of the file system, as `kill -9` would, makes that change
// fail, or raises a signal there.
#pragma once

#include <functional>
#include <optional>

namespace results {

// Runs `work` in a child process that is killed at its N-th write, truncation, sync, rename,
// removal or new folder; a killed write is half done. Returns whether it was killed; false: `work`
// made fewer than N changes. Throws std::runtime_error if the work failed by itself.
bool killed_at(int n, const std::function<void()>& work);

// The same, but the change fails with `error` (ENOSPC, EIO), a write half done; if the fault
// `lasts`, all later changes fail too. Returns what `work` returned; nothing if it made fewer than
// N changes.
std::optional<int> failing_at(int n, int error, bool lasts, const std::function<int()>& work);

// The same, but `signal` is raised and the change is done.
std::optional<int> signalled_at(int n, int signal, const std::function<int()>& work);

}  // namespace results
