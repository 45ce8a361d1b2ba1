// Reads JSON that may come from a stranger. Size and depth are bounded, since parsers recurse into
// nested values and keep the whole document in memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lcsm {

inline constexpr std::size_t kMostJsonBytes = 64u << 20;
inline constexpr int kMostJsonDepth = 64;

// True if brackets outside of strings nest deeper than kMostJsonDepth.
bool nests_too_deep(std::string_view json);

// The text of a regular file. Throws std::invalid_argument, which names the file, if it is not a
// regular file or exceeds a bound; std::system_error if it cannot be read or is a symbolic link,
// which may lead anywhere.
std::string read_json_text(const std::filesystem::path& file);

}  // namespace lcsm
