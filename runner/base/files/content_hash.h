// The SHA-256 of a file's content, cached so that a large file is hashed once. A cache entry is
// valid while the file's inode, size and times do not change. Without a cache folder every call
// hashes the file. `check` is called for a file before its hash is cached.
#pragma once

#include <ctime>
#include <string>

namespace runner {

std::string content_hash(const std::string& path, const std::string& cache_folder,
                         std::time_t now = std::time(nullptr),
                         void (*check)(const std::string& path) = nullptr);

// Hashes the file without a cache.
std::string file_sha256(const std::string& path);

}  // namespace runner
