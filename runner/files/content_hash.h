// The SHA-256 of a file's content. A large file is read once: what it was is noted in a folder,
// with its size and the time of its last change, and believed while these stay. Where there is no
// such folder the file is read each time.
#pragma once

#include <string>

namespace runner {

std::string content_hash(const std::string& path, const std::string& notes_folder);

// The same without notes.
std::string file_sha256(const std::string& path);

}  // namespace runner
