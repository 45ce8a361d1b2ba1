// Untrusted text (names, messages) made safe to show.
#pragma once

#include <string>
#include <string_view>

namespace results {

// For one line of a terminal: control characters, bidirectional overrides and bytes that are not
// valid UTF-8 are spelled out as \x1b, \u202e.
std::string safe_text(std::string_view text);

// A CSV field, quoted where needed. One that a spreadsheet would take for a formula gets a leading
// apostrophe.
std::string csv_field(std::string_view text);

std::string markdown_text(std::string_view text);
std::string tex_text(std::string_view text);
std::string html_text(std::string_view text);

}  // namespace results
