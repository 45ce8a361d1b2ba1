// Injects a fault at a process's N-th change of the file system: a kill as by `kill -9`, a view of
// the files that a kill would leave, a failure of the change, or a signal. A change is a write, a
// truncation, a sync, a rename, a removal or a new folder.
#pragma once

#include <functional>
#include <optional>

#include "tests/sanitized.h"

namespace results {

// Tests try every kStride-th change. Sanitized programs are ten times as slow and are for memory
// errors; tests without sanitizers show that no change loses data.
inline constexpr int kStride = tests::kSanitized ? 7 : 1;

// Runs `work` in a child that is killed at its N-th change; a killed write is half done. Returns
// true if it was killed, false if `work` made fewer than N changes. Throws std::runtime_error if
// the work failed by itself.
bool killed_at(int n, const std::function<void()>& work);

// Runs `work` in this process and calls `each` at every change, with the files as a kill would
// leave them: half of a write done, any other change not done.
void watch_changes(const std::function<void()>& each, const std::function<void()>& work);

// Runs `work` in this process. The N-th change fails with `error` (ENOSPC, EIO), a write half done;
// with `lasts`, all later changes fail, too. Changes by forked children count; changes of files
// whose path lacks the text `of` do not. Returns the result of `work`; nullopt if it made fewer
// than N changes.
std::optional<int> failing_at(int n, int error, bool lasts, const std::function<int()>& work,
                              const char* of = "");

// Like failing_at for locks instead of changes: the N-th is refused as if another process held it.
std::optional<int> refusing_locks_at(int n, bool lasts, const std::function<int()>& work,
                                     const char* of = "");

// Like failing_at, but `signal` is raised and the change is made.
std::optional<int> signalled_at(int n, int signal, const std::function<int()>& work);

}  // namespace results
