// Untrusted text (names, messages) made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace lcsm {

// For one line: control characters, bidirectional overrides and bytes that are not valid UTF-8 are
// spelled out as \x1b, \u202e.
std::string safe_text(std::string_view text);

// For several lines: newlines stay.
std::string safe_lines(std::string_view text);

}  // namespace lcsm
