// Word wrap.
#pragma once

#include <string>

namespace runner {

// Appends the words and a newline; the page already stands at column `indent`, where further lines
// start too. A word wider than the line stays whole.
void wrap_onto(std::string& page, const std::string& text, int indent, int width);

}  // namespace runner
