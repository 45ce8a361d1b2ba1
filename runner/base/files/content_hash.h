// The SHA-256 of a file's content. So that a large file is hashed only once, the hash is cached in
// a folder, together with the file's inode, size and times, and is valid while these do not change.
// Without that folder the file is hashed every time.
#pragma once

#include <ctime>
#include <string>

namespace runner {

std::string content_hash(const std::string& path, const std::string& cache_folder,
                         std::time_t now = std::time(nullptr));

// The same, without a cache.
std::string file_sha256(const std::string& path);

}  // namespace runner
