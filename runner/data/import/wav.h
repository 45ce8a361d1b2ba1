// Reads WAV files: 16-bit samples of one channel.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "runner/base/files/sha256.h"

namespace runner {

// All samples of a file of `rate` samples a second; other chunks are skipped. Refuses with file and
// byte what is damaged, and other formats; adds the file's bytes to `contents`.
std::vector<std::int16_t> read_wav(const std::filesystem::path& path, std::uint32_t rate,
                                   Sha256& contents);

}  // namespace runner
