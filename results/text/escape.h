// Text of unknown origin (a user's names, messages) made harmless for where it is shown.
#pragma once

#include <string>
#include <string_view>

namespace results {

// On one line of a terminal: control characters, what turns the direction of writing and bytes that
// are no UTF-8 are spelled out as \x1b, \u202e.
std::string safe_text(std::string_view text);

// A CSV field, quoted where it must be; one that a spreadsheet would take for a formula starts with
// an apostrophe.
std::string csv_field(std::string_view text);

std::string markdown_text(std::string_view text);
std::string tex_text(std::string_view text);
std::string html_text(std::string_view text);

}  // namespace results
