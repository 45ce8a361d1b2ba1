// Reads JSON that somebody else may have written, within bounds: parsers recurse into what nests,
// and keep all of it in memory.
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

// The text of a regular file. Throws std::invalid_argument, naming it, for anything else, and
// beyond the bounds; std::system_error if it cannot be read, and for a link, which may lead
// anywhere.
std::string read_json_text(const std::filesystem::path& file);

}  // namespace lcsm
