// Escapes untrusted text (names, messages) for display.
#pragma once

#include <string>
#include <string_view>

#include "lcsm/base/safe_text.h"

namespace results {

using lcsm::safe_text;

// A CSV field, quoted if necessary. A field that a spreadsheet would read as a formula gets a
// leading apostrophe.
std::string csv_field(std::string_view text);

std::string markdown_text(std::string_view text);
std::string tex_text(std::string_view text);
std::string html_text(std::string_view text);

}  // namespace results
