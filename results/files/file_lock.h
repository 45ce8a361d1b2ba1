// A file lock that the kernel releases when the process ends, however it ends.
#pragma once

#include <filesystem>

namespace results {

// Makes this process the only writer of `file`, an open descriptor. Does not wait; returns false if
// another process holds the lock. The lock belongs to the descriptor and is released when that is
// closed.
bool lock_for_writing(int file);

// True if a process is writing `path` now. Takes no lock; a missing file has no writer.
bool is_being_written(const std::filesystem::path& path);

}  // namespace results
