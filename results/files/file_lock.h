// A lock on an open file that ends with the process that holds it, however it ends.
#pragma once

#include <filesystem>

namespace results {

// The one writer of `file`, an open descriptor. Nothing is waited for; false: another has it.
// The lock belongs to the descriptor and goes when that is closed.
bool lock_for_writing(int file);

// Whether somebody writes `path` at the moment. Asking takes no lock; a missing file has no writer.
bool is_being_written(const std::filesystem::path& path);

}  // namespace results
