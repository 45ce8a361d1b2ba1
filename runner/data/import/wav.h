// Reads WAV files: 16-bit samples of one channel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "runner/base/files/sha256.h"

namespace runner {

// All samples of a file with `rate` samples per second; skips other chunks. Refuses damaged files
// and other formats, with file and byte. Adds the file's bytes to `contents`.
std::vector<std::int16_t> read_wav(const std::filesystem::path& path, std::uint32_t rate,
                                   Sha256& contents);

}  // namespace runner
