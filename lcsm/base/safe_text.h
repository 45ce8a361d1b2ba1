// Untrusted text (names, messages) made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace lcsm {

bool is_utf8(std::string_view text);

// Makes a text safe for one line: control characters, bidirectional overrides and invalid UTF-8 are
// written as \x1b, \u202e.
std::string safe_text(std::string_view text);

// Makes a text safe for several lines: newlines stay.
std::string safe_lines(std::string_view text);

}  // namespace lcsm
